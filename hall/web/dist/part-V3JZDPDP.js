import{a,b,c,d,e}from"./part-GMKJXNZA.js";import"./part-7USI3MOA.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
