var l={form:"tl",text:"ol",editor:"nl",actions:"ll",panel:"dl",list:"sl",entry:"pl",losses:"cl"};export{l as a};
