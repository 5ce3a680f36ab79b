// A service that works while it leads, and says so: what a newcomer would write.

import { createServer } from 'node:http';
import { LocketClient } from 'locket-wasm/client';
import { GrpcChannel } from 'locket-wasm/grpc';

const bug = process.env.SERVICE_BUG;

/** `read` gives the certificate files as they are now. */
export const connect = (url, read) => new GrpcChannel({ url, tls: bug === 'reads-once' ? read() : read });

/** `locket` are the options of its client; `work` is called every second of a term. */
export function startElection({ locket, work, onState, ttl = '15s' }) {
  let hasStopped = false;
  const election = new LocketClient(locket).elect({ key: 'leader', ttl }, {
    async onLead(signal) {
      onState('leader');
      signal.addEventListener('abort', () => onState('follower'));
      while (bug === 'works-on' ? !hasStopped : !signal.aborted) {
        work();
        await new Promise((done) => setTimeout(done, 1000));
      }
    },
  });
  return {
    stop() {
      hasStopped = true;
      return election.stop();
    },
  };
}

/** The same with an HTTP endpoint for its health. */
export async function createService(options) {
  let state = 'follower';
  const election = startElection({ ...options, onState: (now) => (state = now) });
  const http = createServer((request, response) => response.end(request.url === '/health' ? state : ''));
  await new Promise((listening) => http.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    async stop() {
      await election.stop();
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}
