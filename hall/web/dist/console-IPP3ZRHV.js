import{a as t}from"./part-GYQSFIQT.js";import"./part-NHZLYUSA.js";var e=document.querySelector(".console-page");e&&new t(e).open(e.dataset.game??"",e.dataset.seat??"","");
