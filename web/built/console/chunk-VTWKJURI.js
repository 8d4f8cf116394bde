var r={form:"bn",text:"yn",editor:"kn",actions:"zn",panel:"qn",list:"jn",entry:"Sn"};export{r as a};
