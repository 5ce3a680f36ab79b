// The program that every consumer runs: takes a lock, lets it expire, and tells a shipped story.

import { LocketServer, init, runScenario } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

export async function program() {
  await init();
  const server = new LocketServer();
  const client = server.client();
  await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
  const { owner } = await client.fetch('bbs');
  server.clock.advance('15s');
  const { reason } = await client.fetch('bbs').catch((error) => error);
  return `${owner} then ${reason}, first-look ${runScenario(stories['first-look']).digest}`;
}
