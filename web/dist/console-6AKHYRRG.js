import{a as t}from"./part-PAPFO47E.js";import"./part-4GEYLDBN.js";var e=document.querySelector(".console-page");e&&new t(e).open(e.dataset.game??"",e.dataset.seat??"","");
