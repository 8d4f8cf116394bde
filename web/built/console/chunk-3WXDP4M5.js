var l={form:"Ml",text:"Il",editor:"Nl",actions:"Yl",panel:"Al",list:"Dl",entry:"Fl",losses:"Hl"};export{l as a};
