import{a}from"./part-2PITNIKW.js";import"./part-7USI3MOA.js";export{a as drawSaid};
