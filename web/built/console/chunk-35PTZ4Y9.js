var r={step:"hr",definition:"ur",action:"qe",members:"R",branch:"wr",dryRun:"ed",bar:"ad",about:"rd"};export{r as a};
