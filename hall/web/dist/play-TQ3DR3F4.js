import{a as e}from"./part-XG73MORK.js";import"./part-45X435TZ.js";import"./part-SH6Z7KDQ.js";var t=document.querySelector("form.sheet");t&&e(t);
