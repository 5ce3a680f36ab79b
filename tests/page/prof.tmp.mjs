import { Simulation } from 'locket-wasm';
import { openCore } from './support/core.mjs';
const core = await openCore();
const { sceneOf } = await core.load('core/scene'); const { layOut, colourIndexes } = await core.load('core/lanes'); const { namesOf } = await core.load('core/names');
const clients = Array.from({ length: 100 }, (_, index) => ({ name: `c${index}`, key: 'k', retry: '5s', start: `${index * 50}ms` }));
const s = new Simulation({ name: 'many', until: '120s', clients }); const timeline = s.timeline(); console.log(timeline.events.length, timeline.messages.length);
const cast = s.state().nodes; const lanes = layOut(cast, timeline, false, false);
for (const [a,b] of [[0,120000],[0,80000],[30000,60000],[0,120000],[0,80000]]) { const x=(ms)=>10+(ms-a)/(b-a)*900; const t=process.cpuUsage().user; const n=5; let sc; for(let i=0;i<n;i++) sc=sceneOf({timeline,lanes,x,fromMs:a,toMs:b,width:920,names:namesOf(cast),colour:colourIndexes(cast.map(c=>c.owner)),ownerOf:(n)=>n}); console.log(a,b,sc.detail,((process.cpuUsage().user-t)/1000/n).toFixed(1),'ms cpu', sc.layers.reduce((n,l)=>n+l.d.length,0)); }
await core.close(); process.exit();
