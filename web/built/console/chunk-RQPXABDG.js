var r={form:"Xt",text:"Bt",editor:"Et",actions:"Gt",panel:"Jt",list:"Kt",entry:"Lt"};export{r as a};
