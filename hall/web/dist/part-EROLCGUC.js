import{a,b,c}from"./part-YH5GHPVA.js";import"./part-NHZLYUSA.js";import"./part-SH6Z7KDQ.js";export{a as follow,b as followMany,c as send};
