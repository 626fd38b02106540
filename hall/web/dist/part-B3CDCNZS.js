import{a}from"./part-IEQACVSK.js";export{a as copy};
