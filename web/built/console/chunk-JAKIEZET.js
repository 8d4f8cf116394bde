import{a as o}from"./chunk-LN7UC3GM.js";import{q as r}from"./chunk-GEXBHOMU.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
