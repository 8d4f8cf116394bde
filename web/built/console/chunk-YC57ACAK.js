var r={page:"qr",card:"jr",brand:"Sr",title:"Cr",form:"Mr",text:"Ir",strong:"Nr",or:"H",refusal:"Yr",hint:"Se",passkeys:"Ar",passkey:"R",passkeyText:"Dr",command:"Fr"};export{r as a};
