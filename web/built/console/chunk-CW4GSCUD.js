var r={page:"Cr",card:"Mr",brand:"Ir",title:"Nr",form:"Yr",text:"Ar",strong:"Dr",or:"H",refusal:"Fr",hint:"Se",passkeys:"Hr",passkey:"R",passkeyText:"Rr",command:"Ur"};export{r as a};
