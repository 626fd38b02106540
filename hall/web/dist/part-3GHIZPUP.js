import{a}from"./part-UXGYZJAT.js";import"./part-ZTYJ24ED.js";import"./part-HM43E27H.js";export{a as drawSaid};
