var r={bar:"Fa",text:"Wo",scopes:"Zo",legend:"_o"};export{r as a};
