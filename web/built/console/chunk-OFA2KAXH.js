var l={form:"Cl",text:"Ml",editor:"Il",actions:"Nl",panel:"Yl",list:"Al",entry:"Dl",losses:"Fl"};export{l as a};
