var d={popover:"fe",appear:"he",list:"br",header:"yr",item:"e",itemText:"kr",itemHint:"zr",check:"xe",separator:"qr"};export{d as a};
