import{a}from"./part-RW2VQR6D.js";export{a as copy};
