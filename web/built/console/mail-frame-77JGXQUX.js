import{a}from"./chunk-QMBIS4TK.js";import"./chunk-EUXNNLWE.js";import"./chunk-XJDRYI4M.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
