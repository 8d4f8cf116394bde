var e={step:"vr",definition:"gr",action:"ze",members:"R",branch:"fr",dryRun:"Gl",bar:"Jl"},n=({actions:a},r)=>a[r]??r;export{n as a,e as b};
