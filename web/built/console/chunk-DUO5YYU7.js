var d={popover:"ce",appear:"me",list:"pr",header:"cr",item:"e",itemText:"mr",itemHint:"vr",check:"ve",separator:"gr"};export{d as a};
