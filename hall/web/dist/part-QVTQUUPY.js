import{a,b,c}from"./part-EGBQFXNT.js";export{a as call,b as play,c as soundOf};
