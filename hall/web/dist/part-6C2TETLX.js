import{a}from"./part-ML5FGQ2U.js";import"./part-RW2VQR6D.js";import"./part-HDBNEQUM.js";export{a as startSheet};
