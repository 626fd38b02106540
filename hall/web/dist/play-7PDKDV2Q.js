import{a as e}from"./part-A4PSN2BQ.js";import"./part-45X435TZ.js";import"./part-O4MEJOX7.js";var t=document.querySelector("form.sheet");t&&e(t);
