var e={bar:"aa",hint:"_i",text:"et",scopes:"at",legend:"rt",effects:"ra",resourceName:"it",scopeText:"tt",change:"ia"};export{e as a};
