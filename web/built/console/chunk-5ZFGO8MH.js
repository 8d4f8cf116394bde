function a(e){let l=new Intl.PluralRules(e),n=new Intl.NumberFormat(e);return(t,{one:r,other:o})=>(l.select(t)==="one"?r:o).replace("#",n.format(t))}export{a};
