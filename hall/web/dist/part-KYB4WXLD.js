import{a}from"./part-XG73MORK.js";import"./part-45X435TZ.js";import"./part-SH6Z7KDQ.js";export{a as startSheet};
