var n={field:"Er",label:"Gr",input:"o",search:"c",searchInput:"m",area:"Jr",description:"Kr",error:"Lr",clear:"Ae"};export{n as a};
