import{a as o}from"./chunk-73YYWJFF.js";import{c as r}from"./chunk-CAO5JSFF.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
