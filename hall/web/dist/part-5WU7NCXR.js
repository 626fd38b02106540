import{a,b,c}from"./part-DXNZXE3W.js";export{a as call,b as play,c as soundOf};
