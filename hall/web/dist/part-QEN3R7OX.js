import{a}from"./part-IT5DJN3W.js";import"./part-RW2VQR6D.js";import"./part-O4MEJOX7.js";export{a as startSheet};
