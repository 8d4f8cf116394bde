var e={step:"Un",definition:"La",action:"Oa",branch:"Pa",dryRun:"Vn",bar:"Xn"};export{e as a};
