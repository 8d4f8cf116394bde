var d={popover:"ce",appear:"me",list:"gr",header:"fr",item:"e",itemText:"hr",itemHint:"xr",check:"ve",separator:"ur"};export{d as a};
