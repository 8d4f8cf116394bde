var r={page:"Jr",card:"Kr",brand:"Lr",title:"Or",form:"Pr",text:"Qr",strong:"Tr",or:"H",refusal:"Wr",hint:"Fe",passkeys:"Zr",passkey:"R",passkeyText:"_r",command:"ei"};export{r as a};
