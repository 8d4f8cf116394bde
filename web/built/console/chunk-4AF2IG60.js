var r={step:"ur",definition:"wr",action:"qe",members:"R",branch:"br",dryRun:"td",bar:"od",about:"nd"};export{r as a};
