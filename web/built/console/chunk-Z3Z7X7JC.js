var n={form:"kn",text:"zn",editor:"qn",actions:"jn",panel:"Sn",list:"Cn",entry:"Mn"};export{n as a};
