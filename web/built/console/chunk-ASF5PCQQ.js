import{a as o}from"./chunk-FQNWGFPK.js";import{c as r}from"./chunk-PHRYDMWC.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
