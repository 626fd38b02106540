//# allFunctionsCalledOnLoad
import{a}from"./part-GHH4RSUI.js";import"./part-KPT6TCUF.js";export{a as drawSaid};
