var e={bar:"j",lastDay:"Me",hint:"Ie",text:"Or",scopes:"Pr",legend:"Qr",effects:"Ne",resourceName:"Tr",scopeText:"Wr",record:"Zr",recordName:"_r",change:"Ye"};export{e as a};
