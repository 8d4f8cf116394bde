var r={page:"Lr",card:"Or",brand:"Pr",title:"Qr",form:"Tr",text:"Wr",strong:"Zr",or:"H",refusal:"_r",hint:"Fe",passkeys:"ei",passkey:"R",passkeyText:"ai",command:"ri"};export{r as a};
