import{b as a}from"./part-ZSY2SZ3D.js";import"./part-M7VF32TQ.js";import"./part-JKGXSAFY.js";import"./part-LDRYG656.js";import"./part-HM43E27H.js";import"./part-O4MEJOX7.js";export{a as defineBoard};
