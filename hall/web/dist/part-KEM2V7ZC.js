import{b as a}from"./part-2ENFRLLE.js";import"./part-VKDDL3BG.js";import"./part-J2E36GX6.js";import"./part-LDRYG656.js";import"./part-O4MEJOX7.js";export{a as defineBoard};
