var r={form:"tn",text:"on",editor:"nn",actions:"dn",panel:"ln",list:"sn",entry:"pn"};export{r as a};
