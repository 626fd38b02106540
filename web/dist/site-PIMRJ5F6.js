import{a as o}from"./part-ACCPSF6P.js";import"./part-ORCBJGR6.js";o(document);for(let e of document.querySelectorAll("input[readonly]"))e.addEventListener("focus",()=>e.select());
