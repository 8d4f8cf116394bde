var r={page:"Tr",card:"Wr",brand:"Zr",title:"_r",form:"ei",text:"ai",strong:"ri",or:"R",refusal:"ii",hint:"Ue",passkeys:"ti",passkey:"U",passkeyText:"oi",command:"ni"};export{r as a};
