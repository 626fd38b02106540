import{a}from"./part-A4PSN2BQ.js";import"./part-45X435TZ.js";import"./part-O4MEJOX7.js";export{a as startSheet};
