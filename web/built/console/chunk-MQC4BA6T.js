var r={bar:"Fa",text:"Qo",scopes:"To",legend:"Wo"};export{r as a};
