var d={popover:"me",appear:"ve",list:"hr",header:"xr",item:"e",itemText:"ur",itemHint:"wr",check:"ge",separator:"br"};export{d as a};
