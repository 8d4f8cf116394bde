var l={form:"ql",text:"jl",editor:"Sl",actions:"Cl",panel:"Ml",list:"Il",entry:"Nl",losses:"Yl"};export{l as a};
