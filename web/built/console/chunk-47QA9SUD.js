var i={page:"yi",card:"ki",brand:"zi",title:"qi",form:"ji",text:"Si",strong:"Ci",or:"E",refusal:"Mi",hint:"Te",passkeys:"Ii",passkey:"G",passkeyText:"Ni",command:"Yi"};export{i as a};
