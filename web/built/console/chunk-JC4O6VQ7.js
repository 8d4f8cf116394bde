var e={step:"Gn",definition:"Ta",action:"Wa",branch:"Za",dryRun:"Jn",bar:"Kn"};export{e as a};
