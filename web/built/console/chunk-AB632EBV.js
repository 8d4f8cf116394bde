var d={popover:"ne",appear:"de",list:"ar",header:"rr",item:"e",itemText:"ir",itemHint:"tr",check:"le",separator:"or"};export{d as a};
