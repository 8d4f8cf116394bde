var r={name:"_i",nameText:"et",more:"at",form:"rt",formActions:"it",timeline:"tt",entry:"Pe",kind:"Qe",summary:"ot",when:"nt",report:"z"};export{r as a};
