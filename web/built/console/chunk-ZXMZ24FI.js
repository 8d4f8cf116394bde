var e={step:"qn",definition:"Va",action:"Xa",branch:"Ba",dryRun:"jn",bar:"Sn"};export{e as a};
