var r={bar:"Ya",text:"Oo",scopes:"Po",legend:"Qo"};export{r as a};
