var r={page:"Zr",card:"_r",brand:"ei",title:"ai",form:"ri",text:"ii",strong:"ti",or:"U",refusal:"oi",hint:"Ue",passkeys:"ni",passkey:"V",passkeyText:"di",command:"li"};export{r as a};
