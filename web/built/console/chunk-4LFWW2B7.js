var e={bar:"Ce",hint:"Jr",text:"Kr",scopes:"Lr",legend:"Or",effects:"Me",resourceName:"Pr",scopeText:"Qr",record:"Tr",recordName:"Wr",change:"Ie"};export{e as a};
