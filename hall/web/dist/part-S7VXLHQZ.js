import{a}from"./part-Y3ONM4P5.js";import"./part-OGFFRXZY.js";import"./part-PQVZ2YMA.js";import"./part-HDBNEQUM.js";export{a as Panes};
