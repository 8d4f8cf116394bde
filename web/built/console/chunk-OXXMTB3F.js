var r={form:"Xo",text:"Bo",editor:"Eo",actions:"Go",panel:"Jo",list:"Ko",entry:"Lo"};export{r as a};
