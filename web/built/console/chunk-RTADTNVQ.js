var n={field:"Lr",label:"Or",input:"o",search:"c",searchInput:"m",area:"Pr",description:"Qr",error:"Tr",clear:"Ue"};export{n as a};
