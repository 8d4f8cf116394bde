var r={form:"xn",text:"un",editor:"wn",actions:"bn",panel:"yn",list:"kn",entry:"zn"};export{r as a};
