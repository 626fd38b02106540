import{a}from"./part-SDUSOIHP.js";import"./part-OGFFRXZY.js";import"./part-LDRYG656.js";export{a as Panes};
