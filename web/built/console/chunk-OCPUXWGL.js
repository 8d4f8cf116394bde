var e={step:"Nn",definition:"Ea",action:"Ga",branch:"Ja",dryRun:"Yn",bar:"An"};export{e as a};
