import{q as a}from"./part-N77G4WVU.js";import"./part-CDSL3TWF.js";import"./part-SH6Z7KDQ.js";import"./part-XUKV5CK3.js";export{a as defineBoard};
