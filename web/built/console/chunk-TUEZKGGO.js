var e={step:"Vn",definition:"Oa",action:"Pa",branch:"Qa",dryRun:"Xn",bar:"Bn"};export{e as a};
