import{q as a}from"./part-34QO6WTH.js";import"./part-CDSL3TWF.js";import"./part-SH6Z7KDQ.js";import"./part-XUKV5CK3.js";export{a as defineBoard};
