var e={step:"Cn",definition:"Ba",action:"Ea",branch:"Ga",dryRun:"Mn",bar:"In"};export{e as a};
