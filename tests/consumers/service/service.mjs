// A service that works while it leads, and says so: what a newcomer would write.

import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { LocketClient } from 'locket-wasm/client';
import { GrpcChannel } from 'locket-wasm/grpc';

const bug = process.env.SERVICE_BUG;

/** `read` gives the certificate files as they are now. */
export const connect = (url, read) => new GrpcChannel({ url, tls: bug === 'reads-once' ? read() : read });

/** `locket` are the options of its client; `work` is called every second of a term. */
export async function createService({ locket, work, ttl = '5s', sleep = (ms) => wait(ms) }) {
  const client = new LocketClient({ owner: 'service', ...locket });
  let state = 'follower';
  let isStopping = false;
  const election = client.elect({ key: 'leader', ttl }, {
    async onLead(signal) {
      state = 'leader';
      signal.addEventListener('abort', () => (state = 'follower'));
      while (!signal.aborted || (bug === 'works-on' && !isStopping)) {
        work();
        await sleep(1000);
      }
    },
  });
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
