var l={form:"il",text:"tl",editor:"ol",actions:"nl",panel:"ll",list:"dl",entry:"sl",losses:"pl"};export{l as a};
