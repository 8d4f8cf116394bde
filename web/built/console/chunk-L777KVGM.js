var e={step:"Zo",definition:"ja",action:"Sa",branch:"Ca",dryRun:"_o"};export{e as a};
