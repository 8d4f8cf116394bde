var d={popover:"ne",appear:"le",list:"ar",header:"rr",item:"e",itemText:"ir",itemHint:"tr",check:"de",separator:"or"};export{d as a};
