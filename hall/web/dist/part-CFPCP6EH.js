import{a,b,c}from"./part-JKGXSAFY.js";import"./part-LDRYG656.js";import"./part-O4MEJOX7.js";export{a as follow,b as followMany,c as send};
