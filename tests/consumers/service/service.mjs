// A service that works while it leads, and says so: what a newcomer would write.

import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { LocketClient } from 'locket-wasm/client';

const isBroken = process.env.SERVICE_BUG === 'works-on';

/** `locket` are the options of its client; `work` is called every second of a term. */
export async function createService({ locket, work, sleep = (ms) => wait(ms) }) {
  const client = new LocketClient({ owner: 'service', ...locket });
  let state = 'follower';
  const election = client.elect({ key: 'leader', ttl: '5s' }, {
    async onLead(signal) {
      state = 'leader';
      signal.addEventListener('abort', () => (state = 'follower'));
      while (!signal.aborted || (isBroken && !isStopping)) {
        work();
        await sleep(1000);
      }
    },
  });
  let isStopping = false;
  const http = createServer((request, response) => response.end(request.url === '/health' ? state : ''));
  await new Promise((listening) => http.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    async stop() {
      isStopping = true;
      await election.stop();
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}
