import{a}from"./part-NXJROIIQ.js";import"./part-RW2VQR6D.js";import"./part-6KVSNTBP.js";export{a as startSheet};
