var d={popover:"ve",appear:"ge",list:"br",header:"yr",item:"e",itemText:"kr",itemHint:"zr",check:"fe",separator:"qr"};export{d as a};
