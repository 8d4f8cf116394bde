var n={field:"Gr",label:"Jr",input:"o",search:"c",searchInput:"m",area:"Kr",description:"Lr",error:"Or",clear:"He"};export{n as a};
