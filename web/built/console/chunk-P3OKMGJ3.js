var r={form:"To",text:"Wo",editor:"Zo",actions:"_o",panel:"en",list:"an",entry:"rn"};export{r as a};
