var r={form:"Eo",text:"Go",editor:"Jo",actions:"Ko",panel:"Lo",list:"Oo",entry:"Po"};export{r as a};
