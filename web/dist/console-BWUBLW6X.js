import{a as t}from"./part-OCUWGNA5.js";import"./part-KIAAYMQR.js";var e=document.querySelector(".console-page");e&&new t(e).open(e.dataset.game??"",e.dataset.seat??"","");
