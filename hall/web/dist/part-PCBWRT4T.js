import{a}from"./part-GMKHWG3N.js";import"./part-E5WXAVRG.js";import"./part-HM43E27H.js";export{a as drawSaid};
