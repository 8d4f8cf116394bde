var l={form:"dl",text:"sl",editor:"pl",actions:"cl",panel:"ml",list:"vl",entry:"gl",losses:"fl"};export{l as a};
