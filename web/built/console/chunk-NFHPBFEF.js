var d={popover:"me",appear:"ve",list:"fr",header:"hr",item:"e",itemText:"xr",itemHint:"ur",check:"ge",separator:"wr"};export{d as a};
