var r={form:"ln",text:"sn",editor:"pn",actions:"cn",panel:"mn",list:"vn",entry:"gn"};export{r as a};
