var l={form:"bl",text:"yl",editor:"kl",actions:"zl",panel:"ql",list:"jl",entry:"Sl",losses:"Cl"};export{l as a};
