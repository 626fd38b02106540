//# allFunctionsCalledOnLoad
import{a}from"./part-SQSSPLEI.js";import"./part-XMXUNVE4.js";export{a as drawSaid};
