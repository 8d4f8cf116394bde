var e={step:"An",definition:"Ja",action:"Ka",branch:"La",dryRun:"Dn",bar:"Fn"};export{e as a};
