var r={bar:"Fa",text:"_o",scopes:"en",legend:"an"};export{r as a};
