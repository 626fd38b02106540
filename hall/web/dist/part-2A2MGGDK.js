import{a,b,c}from"./part-ZT3COTJL.js";export{a as call,b as play,c as soundOf};
