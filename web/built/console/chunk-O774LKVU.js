var d={popover:"xe",appear:"ue",list:"qr",header:"jr",item:"e",itemText:"Sr",itemHint:"Cr",check:"we",separator:"Mr"};export{d as a};
