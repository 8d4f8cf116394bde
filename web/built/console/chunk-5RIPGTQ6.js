var r={popover:"be",appear:"ye",list:"Nr",header:"Yr",item:"e",itemText:"Ar",itemHint:"Dr",check:"ke",separator:"Fr"};export{r as a};
