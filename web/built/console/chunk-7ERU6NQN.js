var r={form:"mn",text:"vn",editor:"gn",actions:"fn",panel:"hn",list:"xn",entry:"un"};export{r as a};
