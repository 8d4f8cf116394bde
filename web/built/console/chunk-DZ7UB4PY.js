var t={bar:"ia",hint:"it",text:"tt",scopes:"ot",legend:"nt",effects:"ta",resourceName:"lt",scopeText:"dt",change:"oa"};export{t as a};
