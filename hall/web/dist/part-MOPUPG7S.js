import{b as a}from"./part-HB3F6MAN.js";import"./part-VKDDL3BG.js";import"./part-TWVZ2SJK.js";import"./part-XUKV5CK3.js";import"./part-SH6Z7KDQ.js";export{a as defineBoard};
