var r={bar:"Ea",hint:"on",text:"nn",scopes:"dn",legend:"ln"};export{r as a};
