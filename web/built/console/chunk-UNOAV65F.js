var r={bar:"Ra",text:"an",scopes:"rn",legend:"in"};export{r as a};
