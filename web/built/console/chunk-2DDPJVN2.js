var r={popover:"be",appear:"ye",list:"Sr",header:"Cr",item:"e",itemText:"Mr",itemHint:"Ir",check:"ke",separator:"Nr"};export{r as a};
