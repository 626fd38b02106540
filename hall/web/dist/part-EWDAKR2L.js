import{a,b,c}from"./part-S3NUSQVD.js";export{a as call,b as play,c as soundOf};
