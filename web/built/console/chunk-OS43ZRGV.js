var r={popover:"je",appear:"Se",list:"Rr",header:"Ur",item:"e",itemText:"Vr",itemHint:"Xr",check:"Ce",separator:"Br"};export{r as a};
