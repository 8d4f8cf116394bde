var d={popover:"le",appear:"se",list:"Za",header:"_a",item:"e",itemText:"er",itemHint:"ar",check:"pe",separator:"rr"};export{d as a};
