import{a}from"./part-CGGP6VES.js";import"./part-OGFFRXZY.js";import"./part-PQVZ2YMA.js";import"./part-6KVSNTBP.js";export{a as Panes};
