var r={page:"Pr",card:"Qr",brand:"Tr",title:"Wr",form:"Zr",text:"_r",strong:"ei",or:"R",refusal:"ai",hint:"Ue",passkeys:"ri",passkey:"U",passkeyText:"ii",command:"ti"};export{r as a};
