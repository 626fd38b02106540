import{a,b,c}from"./part-GG23E3KC.js";export{a as calls,b as play,c as soundOf};
