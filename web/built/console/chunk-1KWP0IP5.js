var e={bar:"J",lastDay:"Me",hint:"Kr",text:"Lr",scopes:"Or",legend:"Pr",effects:"Ie",resourceName:"Qr",scopeText:"Tr",record:"Wr",recordName:"Zr",change:"Ne"};export{e as a};
