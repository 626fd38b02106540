//# allFunctionsCalledOnLoad
import{a,b,c,d,e}from"./part-DCN233AK.js";import"./part-6HSFOWTK.js";import"./part-XMXUNVE4.js";export{c as Chart,d as Course,e as Curves,a as stepOf,b as ticksOf};
