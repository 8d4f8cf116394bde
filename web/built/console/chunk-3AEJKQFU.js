<<<<<<<< HEAD:web/built/console/chunk-5HCRNLZ3.js
import{a as t}from"./chunk-VIT6VDV3.js";import{e as s}from"./chunk-UZAB37NM.js";var p="/console",i=t("sub-account"),m=e=>s(`${p}/${e}/inbox`);function u(e,n){let o=e.memberships.find(({subAccountId:r})=>r===n);return o!==void 0&&i.write(o.subAccountId),o}var f=({memberships:e})=>e.find(({subAccountId:n})=>n===i.read())??e[0];export{p as a,m as b,u as c,f as d};
========
import{a as t}from"./chunk-VIT6VDV3.js";import{e as s}from"./chunk-6REGGPNE.js";var p="/console",i=t("sub-account"),m=e=>s(`${p}/${e}/inbox`);function u(e,n){let o=e.memberships.find(({subAccountId:r})=>r===n);return o!==void 0&&i.write(o.subAccountId),o}var f=({memberships:e})=>e.find(({subAccountId:n})=>n===i.read())??e[0];export{p as a,m as b,u as c,f as d};
>>>>>>>> 5dc7960d (feat(console): book, and edit tasks, where the customer is):web/built/console/chunk-3AEJKQFU.js
