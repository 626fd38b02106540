//# allFunctionsCalledOnLoad
import{a as t}from"./part-EHD7DVIF.js";import"./part-DUE3JIRH.js";import"./part-IUK5NS55.js";import"./part-WPMYKPJO.js";var e=document.querySelector(".console-page");e&&new t(e).open(e.dataset.game??"",e.dataset.seat??"","");
