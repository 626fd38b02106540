import{b as a}from"./part-PSLXELEP.js";import"./part-VKDDL3BG.js";import"./part-L7SCBZF6.js";import"./part-LDRYG656.js";import"./part-SH6Z7KDQ.js";export{a as defineBoard};
