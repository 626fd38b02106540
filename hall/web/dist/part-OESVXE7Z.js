//# allFunctionsCalledOnLoad
import{a}from"./part-7N4JCHUQ.js";export{a as copy};
