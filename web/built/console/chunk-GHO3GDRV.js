var r={form:"Go",text:"Jo",editor:"Ko",actions:"Lo",panel:"Oo",list:"Po",entry:"Qo"};export{r as a};
