import{a}from"./part-Z45IIVPZ.js";import"./part-45X435TZ.js";import"./part-SH6Z7KDQ.js";export{a as startSheet};
