var r={bar:"Ra",text:"in",scopes:"tn",legend:"on"};export{r as a};
