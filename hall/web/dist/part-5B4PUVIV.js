//# allFunctionsCalledOnLoad
function o(i,r,s){let n=t=>t.replace(/s$/,""),e=[...i.elements].find(t=>t instanceof HTMLInputElement&&t.type!=="hidden"&&t.name!==""&&n(t.name)===n(r));return e?(e.setCustomValidity(s),e.reportValidity(),e.addEventListener("input",()=>e.setCustomValidity(""),{once:!0}),!0):!1}export{o as pointOut};
