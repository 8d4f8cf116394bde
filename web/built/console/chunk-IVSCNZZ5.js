var e={step:"Mn",definition:"Ea",action:"Ga",branch:"Ja",dryRun:"In",bar:"Nn"};export{e as a};
