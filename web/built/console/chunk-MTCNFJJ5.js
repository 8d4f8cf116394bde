var r={popover:"be",appear:"ye",list:"Mr",header:"Ir",item:"e",itemText:"Nr",itemHint:"Yr",check:"ke",separator:"Ar"};export{r as a};
