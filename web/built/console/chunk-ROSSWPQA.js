var r={page:"ii",card:"ti",brand:"oi",title:"ni",form:"di",text:"li",strong:"si",or:"X",refusal:"pi",hint:"Je",passkeys:"ci",passkey:"B",passkeyText:"mi",command:"vi"};export{r as a};
