//# allFunctionsCalledOnLoad
import{f as a,g as b,h as c,p as d,r as e,s as f,t as g,v as h,w as i,x as j}from"./part-LELLD2J2.js";import"./part-IUK5NS55.js";import"./part-WPMYKPJO.js";export{i as KibitzBoard,j as defineBoard,g as deltaText,d as followMany,h as html,e as nameOf,f as pieceName,a as pointName,b as stepName,c as textName};
