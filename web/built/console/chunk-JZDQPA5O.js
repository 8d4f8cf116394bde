var e={step:"fn",definition:"Da",action:"Fa",branch:"Ha",dryRun:"hn"};export{e as a};
