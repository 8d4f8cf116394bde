import{a as o}from"./chunk-VR74HECM.js";import{l as r}from"./chunk-RASB4UMN.js";function c(){let t=r();return e=>{let{title:i,detail:n}=t(e);o({text:i,detail:n,isError:!0})}}export{c as a};
