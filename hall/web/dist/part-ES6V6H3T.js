import{a}from"./part-PJ3K636C.js";import"./part-OGFFRXZY.js";import"./part-LDRYG656.js";export{a as Panes};
