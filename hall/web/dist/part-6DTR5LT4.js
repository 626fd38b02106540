//# allFunctionsCalledOnLoad
import{a}from"./part-EHD7DVIF.js";import"./part-DUE3JIRH.js";import"./part-IUK5NS55.js";import"./part-WPMYKPJO.js";export{a as Panes};
