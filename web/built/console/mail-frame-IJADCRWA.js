<<<<<<<< HEAD:web/built/console/mail-frame-IYLVQRQZ.js
import{a}from"./chunk-NL7TPQAL.js";import"./chunk-EUXNNLWE.js";import"./chunk-XJDRYI4M.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
========
import{a}from"./chunk-UMPGTBT5.js";import"./chunk-EUXNNLWE.js";import"./chunk-XJDRYI4M.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
>>>>>>>> w/contacts:web/built/console/mail-frame-IJADCRWA.js
