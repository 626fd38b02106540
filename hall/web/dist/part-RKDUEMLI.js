//# allFunctionsCalledOnLoad
import{a,b,c}from"./part-OSS4GRRO.js";export{a as call,b as play,c as soundOf};
