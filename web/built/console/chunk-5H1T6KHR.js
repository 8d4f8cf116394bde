var l={form:"vl",text:"gl",editor:"fl",actions:"xl",panel:"hl",list:"ul",entry:"wl",losses:"bl"};export{l as a};
