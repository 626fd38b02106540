import{a}from"./part-EABRFJJI.js";import"./part-OGFFRXZY.js";import"./part-LDRYG656.js";import"./part-O4MEJOX7.js";export{a as Panes};
