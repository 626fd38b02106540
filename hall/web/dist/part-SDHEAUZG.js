import{a,b,c}from"./part-CDSL3TWF.js";import"./part-SH6Z7KDQ.js";import"./part-XUKV5CK3.js";export{a as follow,b as followMany,c as send};
