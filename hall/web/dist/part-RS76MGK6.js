import{b as a}from"./part-NFAXNEQ4.js";import"./part-VKDDL3BG.js";import"./part-YI6H5MG6.js";import"./part-LDRYG656.js";import"./part-73NBEYPK.js";export{a as defineBoard};
