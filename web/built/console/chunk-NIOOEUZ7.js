var r={page:"Nr",card:"Yr",brand:"Ar",title:"Dr",form:"Fr",text:"Hr",strong:"Rr",or:"H",refusal:"Ur",hint:"Ce",passkeys:"Vr",passkey:"R",passkeyText:"Xr",command:"Br"};export{r as a};
