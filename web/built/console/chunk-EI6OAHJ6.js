var n={field:"Ur",label:"Vr",input:"o",search:"c",searchInput:"m",area:"Xr",description:"Br",error:"Er",clear:"Ae"};export{n as a};
