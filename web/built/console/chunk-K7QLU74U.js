import{a as o}from"./chunk-XWYFLWOK.js";import{q as r}from"./chunk-FE22UCFI.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
