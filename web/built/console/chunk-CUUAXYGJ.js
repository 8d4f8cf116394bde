import{a as o}from"./chunk-TQVXSN5R.js";import{c as r}from"./chunk-JVU6F5NP.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
