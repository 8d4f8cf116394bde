var r={form:"mo",text:"vo",editor:"go",actions:"fo",panel:"ho",list:"xo",entry:"uo"};export{r as a};
