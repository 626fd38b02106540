//# allFunctionsCalledOnLoad
import{a,b,c}from"./part-GYEIDXR3.js";export{a as call,b as play,c as soundOf};
