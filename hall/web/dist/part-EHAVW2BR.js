//# allFunctionsCalledOnLoad
import{a,b,c,d,e}from"./part-UTMVHAA3.js";import"./part-MO2GWIRO.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
