var r={form:"un",text:"wn",editor:"bn",actions:"yn",panel:"kn",list:"zn",entry:"qn"};export{r as a};
