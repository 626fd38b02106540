import{a as t}from"./part-V7LRREQF.js";import"./part-I7PA7LDA.js";var e=document.querySelector(".console-page");e&&new t(e).open(e.dataset.game??"",e.dataset.seat??"","");
