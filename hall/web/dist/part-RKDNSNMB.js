import{a,b,c,d,e}from"./part-E44ALSHE.js";import"./part-E5WXAVRG.js";import"./part-HM43E27H.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
