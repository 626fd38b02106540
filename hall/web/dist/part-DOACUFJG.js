import{a,b,c,d,e}from"./part-I4XXPJBI.js";import"./part-ZTYJ24ED.js";import"./part-HM43E27H.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
