var e={step:"Nn",definition:"Ja",action:"Ka",branch:"La",dryRun:"Yn",bar:"An"};export{e as a};
