var r={bar:"Ua",text:"tn",scopes:"on",legend:"nn"};export{r as a};
