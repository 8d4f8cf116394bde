var r={page:"ai",card:"ri",brand:"ii",title:"ti",form:"oi",text:"ni",strong:"di",or:"V",refusal:"li",hint:"Be",passkeys:"si",passkey:"X",passkeyText:"pi",command:"ci"};export{r as a};
