import{a as t}from"./part-SDUSOIHP.js";import"./part-OGFFRXZY.js";import"./part-LDRYG656.js";var e=document.querySelector(".console-page");e&&new t(e).open(e.dataset.game??"",e.dataset.seat??"","");
