import{a as e}from"./part-ML5FGQ2U.js";import"./part-RW2VQR6D.js";import"./part-HDBNEQUM.js";var t=document.querySelector("form.sheet");t&&e(t);
