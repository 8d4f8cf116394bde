var n={field:"Dr",label:"Fr",input:"o",search:"c",searchInput:"m",area:"Hr",description:"Rr",error:"Ur",clear:"Ae"};export{n as a};
