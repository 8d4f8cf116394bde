var r={page:"fr",card:"hr",brand:"xr",title:"ur",form:"wr",text:"br",strong:"yr",or:"Y",refusal:"kr",hint:"ye",passkeys:"zr",passkey:"A",passkeyText:"qr",command:"jr"};export{r as a};
