//# allFunctionsCalledOnLoad
import{a as e}from"./part-5MV6C55M.js";import"./part-7N4JCHUQ.js";import"./part-WPMYKPJO.js";var t=document.querySelector("form.sheet");t&&e(t);
