var l={form:"Sl",text:"Cl",editor:"Ml",actions:"Il",panel:"Nl",list:"Yl",entry:"Al",losses:"Dl"};export{l as a};
