import{a,b,c}from"./part-L7SCBZF6.js";import"./part-LDRYG656.js";import"./part-SH6Z7KDQ.js";export{a as follow,b as followMany,c as send};
