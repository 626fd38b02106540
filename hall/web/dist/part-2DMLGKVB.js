//# allFunctionsCalledOnLoad
import{a}from"./part-5MV6C55M.js";import"./part-7N4JCHUQ.js";import"./part-WPMYKPJO.js";export{a as startSheet};
