var r={page:"ei",card:"ai",brand:"ri",title:"ii",form:"ti",text:"oi",strong:"ni",or:"U",refusal:"di",hint:"Ue",passkeys:"li",passkey:"V",passkeyText:"si",command:"pi"};export{r as a};
