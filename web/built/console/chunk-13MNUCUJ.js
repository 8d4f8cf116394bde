var a={step:"Gn",definition:"Ta",action:"Wa",branch:"Za",dryRun:"Jn",bar:"Kn"};export{a};
