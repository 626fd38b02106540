import{q as a}from"./part-KI4FCMYD.js";import"./part-TWVZ2SJK.js";import"./part-XUKV5CK3.js";import"./part-SH6Z7KDQ.js";export{a as defineBoard};
