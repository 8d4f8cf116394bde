var r={form:"po",text:"co",editor:"mo",actions:"vo",panel:"go",list:"fo",entry:"ho"};export{r as a};
