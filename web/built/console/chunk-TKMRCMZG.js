var r={bar:"Ra",text:"_o",scopes:"en",legend:"an"};export{r as a};
