import{a}from"./part-HO7Z2E33.js";import"./part-LDRYG656.js";export{a as Panes};
