import { measurePage } from './page.mjs';
const r={heading:console.log,figure:(n,v,u)=>console.log(n,v,u),bounded:(n,v,u,d,l)=>console.log(n,v,u,d,l)};
await measurePage(r);
