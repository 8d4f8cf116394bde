var e={bar:"Re",hint:"di",text:"si",scopes:"pi",legend:"ci",effects:"Ue",resourceName:"mi",scopeText:"vi",change:"Ve"};export{e as a};
