var r={page:"Tr",card:"Wr",brand:"Zr",title:"_r",form:"ei",text:"ai",strong:"ri",or:"U",refusal:"ii",hint:"Ue",passkeys:"ti",passkey:"V",passkeyText:"oi",command:"ni"};export{r as a};
