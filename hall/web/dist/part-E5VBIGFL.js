import{a}from"./part-OMRBQTDU.js";import"./part-UQK5RRDM.js";import"./part-HM43E27H.js";export{a as drawSaid};
