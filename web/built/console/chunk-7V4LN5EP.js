var r={form:"Ro",text:"Uo",editor:"Vo",actions:"Xo",panel:"Bo",list:"Eo",entry:"Go"};export{r as a};
