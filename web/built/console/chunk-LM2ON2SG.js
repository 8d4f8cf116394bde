import{a as o}from"./chunk-W62EKBF3.js";import{q as r}from"./chunk-BNNQT2AQ.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
