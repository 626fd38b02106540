import{a}from"./part-T7S3EYKH.js";import"./part-OGFFRXZY.js";import"./part-PQVZ2YMA.js";import"./part-O4MEJOX7.js";export{a as Panes};
