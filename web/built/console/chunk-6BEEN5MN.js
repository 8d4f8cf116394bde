var e={bar:"He",hint:"li",text:"di",scopes:"si",legend:"pi",effects:"Re",resourceName:"ci",scopeText:"mi",change:"Ue"};export{e as a};
