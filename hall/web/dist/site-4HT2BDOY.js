import{a as o}from"./part-UQFSVPGL.js";import"./part-QK6GURLL.js";o(document);for(let e of document.querySelectorAll("input[readonly]"))e.addEventListener("focus",()=>e.select());
