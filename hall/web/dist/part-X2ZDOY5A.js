import{a,b,c}from"./part-YI6H5MG6.js";import"./part-LDRYG656.js";import"./part-73NBEYPK.js";export{a as follow,b as followMany,c as send};
