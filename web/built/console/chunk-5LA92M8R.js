var e={bar:"_e",hint:"Qi",text:"Ti",scopes:"Wi",legend:"Zi",effects:"ea",resourceName:"_i",scopeText:"et"};export{e as a};
