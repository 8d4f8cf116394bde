var i={page:"ii",card:"ti",brand:"oi",title:"ni",form:"di",text:"li",strong:"si",or:"X",refusal:"pi",hint:"Ge",passkeys:"ci",passkey:"B",passkeyText:"mi",command:"vi"};export{i as a};
