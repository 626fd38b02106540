//# allFunctionsCalledOnLoad
import{a,b,c,d,e}from"./part-5AQSY6AO.js";import"./part-KPT6TCUF.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
