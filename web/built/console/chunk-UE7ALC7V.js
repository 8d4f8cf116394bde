var n={field:"Xr",label:"Br",input:"o",search:"c",searchInput:"m",area:"Er",description:"Gr",error:"Jr",clear:"Ae"};export{n as a};
