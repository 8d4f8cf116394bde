var i={page:"bi",card:"yi",brand:"ki",title:"zi",form:"qi",text:"ji",strong:"Si",or:"E",refusal:"Ci",hint:"Qe",passkeys:"Mi",passkey:"G",passkeyText:"Ii",command:"Ni"};export{i as a};
