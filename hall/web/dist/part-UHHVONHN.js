import{a,b,c,d}from"./part-4L5QZTFC.js";import"./part-6YAZ6H53.js";import"./part-HM43E27H.js";export{c as Course,d as Curves,a as stepOf,b as ticksOf};
