import{a,b,c}from"./part-QOHEXV7K.js";export{a as call,b as play,c as soundOf};
