var d={popover:"ie",appear:"te",list:"Ga",header:"Ja",item:"e",itemText:"Ka",itemHint:"La",check:"oe",separator:"Oa"};export{d as a};
