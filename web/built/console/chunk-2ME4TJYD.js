var l={form:"jl",text:"Sl",editor:"Cl",actions:"Ml",panel:"Il",list:"Nl",entry:"Yl",losses:"Al"};export{l as a};
