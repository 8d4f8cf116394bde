var e={bar:"ea",hint:"Ti",text:"Wi",scopes:"Zi",legend:"_i",effects:"aa",resourceName:"et",scopeText:"at",change:"ra"};export{e as a};
