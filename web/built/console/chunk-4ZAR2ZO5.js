var r={page:"ai",card:"ri",brand:"ii",title:"ti",form:"oi",text:"ni",strong:"di",or:"U",refusal:"li",hint:"Ve",passkeys:"si",passkey:"V",passkeyText:"pi",command:"ci"};export{r as a};
