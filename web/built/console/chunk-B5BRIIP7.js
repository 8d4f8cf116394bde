var r={step:"Dl",definition:"nr",action:"lr",branch:"dr",dryRun:"Fl",bar:"Hl"};export{r as a};
