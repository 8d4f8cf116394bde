var r={page:"Fr",card:"Hr",brand:"Rr",title:"Ur",form:"Vr",text:"Xr",strong:"Br",or:"H",refusal:"Er",hint:"Ne",passkeys:"Gr",passkey:"R",passkeyText:"Jr",command:"Kr"};export{r as a};
