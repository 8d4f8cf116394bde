var e={step:"an",definition:"Sa",action:"Ca",branch:"Ma",dryRun:"rn"};export{e as a};
