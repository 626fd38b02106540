import{a,b,c,d,e}from"./part-OP5BD4P7.js";import"./part-UQK5RRDM.js";import"./part-HM43E27H.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
