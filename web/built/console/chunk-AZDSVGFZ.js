var r={page:"mr",card:"vr",brand:"gr",title:"fr",form:"hr",text:"xr",strong:"ur",or:"A",refusal:"wr",hint:"ze",passkeys:"br",passkey:"D",passkeyText:"yr",command:"kr"};export{r as a};
