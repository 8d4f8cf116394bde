var r={step:"wr",definition:"br",action:"qe",members:"U",branch:"yr",dryRun:"id",bar:"td",about:"od"};export{r as a};
