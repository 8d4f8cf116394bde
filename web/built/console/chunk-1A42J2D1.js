var r={step:"xr",definition:"hr",action:"ze",members:"R",branch:"ur",dryRun:"_l",bar:"ed",about:"ad"};export{r as a};
