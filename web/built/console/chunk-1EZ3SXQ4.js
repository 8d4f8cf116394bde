var i={page:"qi",card:"ji",brand:"Si",title:"Ci",form:"Mi",text:"Ii",strong:"Ni",or:"J",refusal:"Yi",hint:"We",passkeys:"Ai",passkey:"K",passkeyText:"Di",command:"Fi"};export{i as a};
