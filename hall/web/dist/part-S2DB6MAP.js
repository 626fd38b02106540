import{a,b,c}from"./part-T3D5PA6P.js";import"./part-I7PA7LDA.js";import"./part-SH6Z7KDQ.js";export{a as follow,b as followMany,c as send};
