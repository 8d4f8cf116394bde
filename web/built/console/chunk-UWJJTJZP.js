var r={page:"ir",card:"tr",brand:"or",title:"nr",form:"lr",text:"dr",strong:"sr",or:"M",refusal:"pr",hint:"ue",passkeys:"cr",passkey:"I",passkeyText:"mr",command:"vr"};export{r as a};
