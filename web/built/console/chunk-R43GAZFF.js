var r={form:"Ko",text:"Lo",editor:"Oo",actions:"Po",panel:"Qo",list:"To",entry:"Wo"};export{r as a};
