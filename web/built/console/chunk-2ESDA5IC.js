var n={field:"Hr",label:"Rr",input:"o",search:"c",searchInput:"m",area:"Ur",description:"Vr",error:"Xr",clear:"Ae"};export{n as a};
