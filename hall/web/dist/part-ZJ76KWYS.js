import{b as a}from"./part-NKMELO42.js";import"./part-VKDDL3BG.js";import"./part-CDSL3TWF.js";import"./part-SH6Z7KDQ.js";import"./part-XUKV5CK3.js";export{a as defineBoard};
