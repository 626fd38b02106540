import{a as t}from"./part-I4UII4VM.js";import"./part-XUKV5CK3.js";var e=document.querySelector(".console-page");e&&new t(e).open(e.dataset.game??"",e.dataset.seat??"","");
