//# allFunctionsCalledOnLoad
import{a}from"./part-J6LWMQWO.js";import"./part-MO2GWIRO.js";export{a as drawSaid};
