import{a as o}from"./chunk-USHIRMD2.js";import{c as r}from"./chunk-PONAXWNV.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
