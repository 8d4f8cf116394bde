var i={page:"Mi",card:"Ii",brand:"Ni",title:"Yi",form:"Ai",text:"Di",strong:"Fi",or:"K",refusal:"Hi",hint:"_e",passkeys:"Ri",passkey:"L",passkeyText:"Ui",command:"Vi"};export{i as a};
