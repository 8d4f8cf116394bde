var e={step:"En",definition:"Ta",action:"Wa",branch:"Za",dryRun:"Gn",bar:"Jn"};export{e as a};
