var r={step:"kr",definition:"zr",action:"qe",members:"U",branch:"qr",dryRun:"xd",bar:"hd",about:"ud"};export{r as a};
