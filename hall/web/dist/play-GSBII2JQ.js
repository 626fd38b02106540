import{a as e}from"./part-Z45IIVPZ.js";import"./part-45X435TZ.js";import"./part-SH6Z7KDQ.js";var t=document.querySelector("form.sheet");t&&e(t);
