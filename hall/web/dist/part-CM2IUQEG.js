import{a,b,c,d,e}from"./part-2GURP26G.js";import"./part-4NE4SIVW.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
