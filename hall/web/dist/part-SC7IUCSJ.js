import{a}from"./part-GDEGIXM2.js";import"./part-IEQACVSK.js";import"./part-HDBNEQUM.js";export{a as startSheet};
