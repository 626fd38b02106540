import{a}from"./part-PUPZJHD5.js";import"./part-OGFFRXZY.js";import"./part-LDRYG656.js";import"./part-O4MEJOX7.js";export{a as Panes};
