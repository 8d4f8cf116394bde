var r={step:"Al",definition:"tr",action:"or",branch:"nr",dryRun:"Dl",bar:"Fl"};export{r as a};
