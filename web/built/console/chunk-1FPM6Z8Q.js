var e={bar:"J",lastDay:"Me",hint:"Lr",text:"Or",scopes:"Pr",legend:"Qr",effects:"Ie",resourceName:"Tr",scopeText:"Wr",record:"Zr",recordName:"_r",change:"Ne"};export{e as a};
