var n={field:"Gr",label:"Jr",input:"o",search:"c",searchInput:"m",area:"Kr",description:"Lr",error:"Or",clear:"De"};export{n as a};
