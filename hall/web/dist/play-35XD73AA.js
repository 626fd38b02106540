import{a as e}from"./part-HBYNXKTQ.js";import"./part-45X435TZ.js";import"./part-73NBEYPK.js";var t=document.querySelector("form.sheet");t&&e(t);
