import{a as e}from"./part-IT5DJN3W.js";import"./part-RW2VQR6D.js";import"./part-O4MEJOX7.js";var t=document.querySelector("form.sheet");t&&e(t);
