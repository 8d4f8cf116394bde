var r={popover:"ze",appear:"qe",list:"Dr",header:"Fr",item:"e",itemText:"Hr",itemHint:"Rr",check:"je",separator:"Ur"};export{r as a};
