var r={popover:"ye",appear:"ke",list:"Dr",header:"Fr",item:"e",itemText:"Hr",itemHint:"Rr",check:"ze",separator:"Ur"};export{r as a};
