function l(r){let e=new Intl.PluralRules(r),t=new Intl.NumberFormat(r);return(n,{one:o,other:s})=>(e.select(n)==="one"?o:s).replace("#",t.format(n))}export{l as a};
