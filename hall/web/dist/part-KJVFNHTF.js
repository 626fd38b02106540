import{a,b,c}from"./part-J2E36GX6.js";import"./part-LDRYG656.js";import"./part-O4MEJOX7.js";export{a as follow,b as followMany,c as send};
