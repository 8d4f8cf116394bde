var r={popover:"be",appear:"ye",list:"Ar",header:"Dr",item:"e",itemText:"Fr",itemHint:"Hr",check:"ke",separator:"Rr"};export{r as a};
