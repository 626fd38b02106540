import{a,b}from"./part-JRKN4DRX.js";export{a as play,b as soundOf};
