var d={popover:"xe",appear:"ue",list:"Sr",header:"Cr",item:"e",itemText:"Mr",itemHint:"Ir",check:"we",separator:"Nr"};export{d as a};
