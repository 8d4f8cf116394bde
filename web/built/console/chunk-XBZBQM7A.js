var r={form:"Zo",text:"_o",editor:"en",actions:"an",panel:"rn",list:"in",entry:"tn"};export{r as a};
