import{a as e}from"./part-GDEGIXM2.js";import"./part-IEQACVSK.js";import"./part-HDBNEQUM.js";var t=document.querySelector("form.sheet");t&&e(t);
