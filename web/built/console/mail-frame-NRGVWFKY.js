import{a}from"./chunk-UKCGWC24.js";import"./chunk-EUXNNLWE.js";import"./chunk-XJDRYI4M.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
