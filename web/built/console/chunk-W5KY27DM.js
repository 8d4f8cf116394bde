var r={page:"Vr",card:"Xr",brand:"Br",title:"Er",form:"Gr",text:"Jr",strong:"Kr",or:"H",refusal:"Lr",hint:"Ae",passkeys:"Or",passkey:"R",passkeyText:"Pr",command:"Qr"};export{r as a};
