var d={popover:"ce",appear:"me",list:"vr",header:"gr",item:"e",itemText:"fr",itemHint:"hr",check:"ve",separator:"xr"};export{d as a};
