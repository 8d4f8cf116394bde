var e={step:"Zo",definition:"ja",action:"Sa",branch:"Ca"};export{e as a};
