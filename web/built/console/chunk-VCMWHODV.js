var r={page:"Lr",card:"Or",brand:"Pr",title:"Qr",form:"Tr",text:"Wr",strong:"Zr",or:"R",refusal:"_r",hint:"Ue",passkeys:"ei",passkey:"U",passkeyText:"ai",command:"ri"};export{r as a};
