var e={step:"bn",definition:"Va",action:"Xa",branch:"Ba",dryRun:"yn",bar:"kn"};export{e as a};
