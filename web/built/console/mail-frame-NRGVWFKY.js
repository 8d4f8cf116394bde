<<<<<<<< HEAD:web/built/console/mail-frame-NRGVWFKY.js
import{a}from"./chunk-UKCGWC24.js";import"./chunk-EUXNNLWE.js";import"./chunk-XJDRYI4M.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
========
import{a}from"./chunk-OUJTULVO.js";import"./chunk-EUXNNLWE.js";import"./chunk-XJDRYI4M.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
>>>>>>>> 5dc7960d (feat(console): book, and edit tasks, where the customer is):web/built/console/mail-frame-THEUG6K5.js
