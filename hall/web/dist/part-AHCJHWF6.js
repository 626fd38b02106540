import{a}from"./part-H6FXVWTV.js";import"./part-4NE4SIVW.js";export{a as drawSaid};
