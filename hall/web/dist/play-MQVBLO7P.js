import{a as e}from"./part-NXJROIIQ.js";import"./part-RW2VQR6D.js";import"./part-6KVSNTBP.js";var t=document.querySelector("form.sheet");t&&e(t);
