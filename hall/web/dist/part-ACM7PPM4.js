var s=(t,e,n={})=>fetch(t,{method:"POST",headers:{"Content-Type":"application/json",...n.accept&&{Accept:n.accept}},body:JSON.stringify(e),...n.signal&&{signal:n.signal}});export{s as a};
