var e={step:"fn",definition:"Ha",action:"Ra",branch:"Ua",dryRun:"hn",bar:"xn"};export{e as a};
