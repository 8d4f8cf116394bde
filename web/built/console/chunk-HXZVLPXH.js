var e={step:"xn",definition:"Ua",action:"Va",branch:"Xa",dryRun:"un",bar:"wn"};export{e as a};
