var r={bar:"Ya",text:"Ko",scopes:"Lo",legend:"Oo"};export{r as a};
