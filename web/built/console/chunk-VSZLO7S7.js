var r={page:"Ir",card:"Nr",brand:"Yr",title:"Ar",form:"Dr",text:"Fr",strong:"Hr",or:"H",refusal:"Rr",hint:"Ce",passkeys:"Ur",passkey:"R",passkeyText:"Vr",command:"Xr"};export{r as a};
