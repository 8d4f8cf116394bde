var r={step:"kr",definition:"zr",action:"qe",members:"U",branch:"qr",dryRun:"fd",bar:"hd",about:"xd"};export{r as a};
