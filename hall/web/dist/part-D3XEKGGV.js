import{a}from"./part-HBYNXKTQ.js";import"./part-45X435TZ.js";import"./part-73NBEYPK.js";export{a as startSheet};
