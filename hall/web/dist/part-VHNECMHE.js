import{a}from"./part-NP46NF6E.js";import"./part-6YAZ6H53.js";import"./part-HM43E27H.js";export{a as drawSaid};
