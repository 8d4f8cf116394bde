var r={step:"xr",definition:"ur",action:"qe",members:"R",branch:"wr",dryRun:"ad",bar:"rd",about:"id"};export{r as a};
