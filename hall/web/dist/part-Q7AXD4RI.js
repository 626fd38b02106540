import{b as a,e as b}from"./part-4BBXZHZX.js";import"./part-M7VF32TQ.js";import"./part-LDRYG656.js";import"./part-HM43E27H.js";import"./part-O4MEJOX7.js";export{b as defineBoard,a as followMany};
