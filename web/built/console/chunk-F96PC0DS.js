var r={step:"ur",definition:"wr",action:"qe",members:"R",branch:"br",dryRun:"id",bar:"td",about:"od"};export{r as a};
