import{a}from"./chunk-P5K5G75U.js";import"./chunk-Q55XIMXO.js";import"./chunk-PR7SBB5R.js";import"./chunk-SQE76S5B.js";export{a as MailFrame};
