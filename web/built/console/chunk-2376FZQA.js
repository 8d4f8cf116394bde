var r={step:"kr",definition:"zr",action:"qe",members:"U",branch:"qr",dryRun:"gd",bar:"fd",about:"hd"};export{r as a};
