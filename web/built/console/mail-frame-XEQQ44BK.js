import{a}from"./chunk-EO2XLCVR.js";import"./chunk-EUXNNLWE.js";import"./chunk-XJDRYI4M.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
