var d={popover:"he",appear:"xe",list:"kr",header:"zr",item:"e",itemText:"qr",itemHint:"jr",check:"ue",separator:"Sr"};export{d as a};
