import{a}from"./part-MKCI6GMD.js";import"./part-45X435TZ.js";import"./part-SH6Z7KDQ.js";export{a as startSheet};
