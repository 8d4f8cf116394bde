var e={step:"zn",definition:"Va",action:"Xa",branch:"Ba",dryRun:"qn",bar:"jn"};export{e as a};
