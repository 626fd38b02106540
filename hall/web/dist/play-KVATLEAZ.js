import{a as e}from"./part-Z26UGFLQ.js";import"./part-SH6Z7KDQ.js";var t=document.querySelector("form.sheet");t&&e(t);
