import{a}from"./part-BAPM5MMU.js";import"./part-ZTYJ24ED.js";import"./part-HM43E27H.js";export{a as drawSaid};
