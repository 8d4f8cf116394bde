var r={form:"an",text:"rn",editor:"in",actions:"tn",panel:"on",list:"nn",entry:"dn"};export{r as a};
