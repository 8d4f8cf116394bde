var r={form:"nn",text:"dn",editor:"ln",actions:"sn",panel:"pn",list:"cn",entry:"mn"};export{r as a};
