//# allFunctionsCalledOnLoad
import{f as a,g as b,h as c,o as d,q as e,r as f,s as g,u as h,v as i,w as j}from"./part-U4CFPL3K.js";import"./part-6HSFOWTK.js";import"./part-IUK5NS55.js";import"./part-WPMYKPJO.js";export{i as KibitzBoard,j as defineBoard,g as deltaText,d as followMany,h as html,e as nameOf,f as pieceName,a as pointName,b as stepName,c as textName};
