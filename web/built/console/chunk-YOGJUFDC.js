var r={form:"pn",text:"cn",editor:"mn",actions:"vn",panel:"gn",list:"fn",entry:"hn"};export{r as a};
