var e={step:"jn",definition:"Xa",action:"Ba",branch:"Ea",dryRun:"Sn",bar:"Cn"};export{e as a};
