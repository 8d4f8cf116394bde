var r={form:"kn",text:"zn",editor:"qn",actions:"jn",panel:"Sn",list:"Cn",entry:"Mn"};export{r as a};
