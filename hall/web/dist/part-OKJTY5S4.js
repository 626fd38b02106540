import{a,b,c}from"./part-TWVZ2SJK.js";import"./part-XUKV5CK3.js";import"./part-SH6Z7KDQ.js";export{a as follow,b as followMany,c as send};
