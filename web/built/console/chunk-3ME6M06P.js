var r={step:"Ul",definition:"sr",action:"pr",branch:"cr",dryRun:"Vl",bar:"Xl"};export{r as a};
