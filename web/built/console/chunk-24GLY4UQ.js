var l={form:"zl",text:"ql",editor:"jl",actions:"Sl",panel:"Cl",list:"Ml",entry:"Il",losses:"Nl"};export{l as a};
