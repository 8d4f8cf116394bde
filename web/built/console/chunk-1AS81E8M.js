var l={form:"fl",text:"xl",editor:"hl",actions:"ul",panel:"wl",list:"bl",entry:"yl",losses:"kl"};export{l as a};
