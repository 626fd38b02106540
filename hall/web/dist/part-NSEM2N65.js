import{a}from"./part-TMMIHSET.js";import"./part-OGFFRXZY.js";import"./part-PQVZ2YMA.js";import"./part-HDBNEQUM.js";export{a as Panes};
