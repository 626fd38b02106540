import{b as a,e as b}from"./part-LNMFPOC2.js";import"./part-LLQ2EQDC.js";import"./part-LDRYG656.js";import"./part-HM43E27H.js";import"./part-O4MEJOX7.js";export{b as defineBoard,a as followMany};
