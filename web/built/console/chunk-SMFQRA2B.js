var e={step:"en",definition:"Ca",action:"Ma",branch:"Ia",dryRun:"an"};export{e as a};
