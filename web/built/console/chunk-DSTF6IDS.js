var r={page:"Rr",card:"Ur",brand:"Vr",title:"Xr",form:"Br",text:"Er",strong:"Gr",or:"H",refusal:"Jr",hint:"Ye",passkeys:"Kr",passkey:"R",passkeyText:"Lr",command:"Or"};export{r as a};
