import{a as o}from"./chunk-EI7WSJ7R.js";import{q as r}from"./chunk-23AVJ2TE.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
