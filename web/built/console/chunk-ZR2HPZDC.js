var r={page:"Mr",card:"Ir",brand:"Nr",title:"Yr",form:"Ar",text:"Dr",strong:"Fr",or:"H",refusal:"Hr",hint:"Se",passkeys:"Rr",passkey:"R",passkeyText:"Ur",command:"Vr"};export{r as a};
