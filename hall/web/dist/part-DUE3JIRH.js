//# allFunctionsCalledOnLoad
var t=new WeakMap;function s(e,l="down"){t.has(e)||(t.set(e,!1),l==="down"&&e.addEventListener("scroll",()=>t.set(e,e.scrollTop+e.clientHeight<e.scrollHeight-40),{passive:!0})),requestAnimationFrame(()=>{t.get(e)||(l==="down"?e.scrollTop=e.scrollHeight:e.scrollLeft=e.scrollWidth)})}export{s as a};
