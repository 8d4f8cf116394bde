var n={bar:"Ea",hint:"on",text:"nn",scopes:"dn",legend:"ln"};export{n as a};
