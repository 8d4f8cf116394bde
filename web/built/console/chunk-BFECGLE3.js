var e={step:"in",definition:"Ma",action:"Ia",branch:"Na",dryRun:"tn"};export{e as a};
