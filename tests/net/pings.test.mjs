// The pings of a gRPC connection. A ping comes after 10 s at the earliest, in real time: these tests wait beside each other, and
// beside the other files.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Code, LocketClient } from 'locket-wasm';
import { GrpcChannel } from 'locket-wasm/grpc';
import { serve } from 'locket-wasm/serve';

import { onceCalled, SETTINGS, startRaw } from './support/raw-http2.mjs';

const LOCK = { key: 'bbs', owner: 'bbs-0', ttl: '15s' };

describe('pings', { concurrency: true }, () => {
  test('a connection that does not answer a ping is given up during a call', { timeout: 60_000 }, async () => {
    const raw = await startRaw((socket) => {
      socket.write(SETTINGS);
      onceCalled(socket, () => {});
    });
    const channel = new GrpcChannel({ url: raw.url, keepalive: { timeout: '1ms' } });
    const error = await new LocketClient(channel.clientOptions).lock(LOCK).then(() => assert.fail('succeeded'), (thrown) => thrown);
    await channel.close();
    await raw.close();
    assert.deepEqual([error.code, error.outcome, /did not answer a ping/.test(error.message)], [Code.Unavailable, 'unknown', true]);
  });

  test('the pings of a call without an end do not make the server end the connection', { timeout: 120_000 }, async () => {
    const locket = await serve({ port: 0, profile: 'upstream', closeTimeout: '100ms', clock: 'virtual', latency: '1s' });
    const channel = new GrpcChannel({ url: locket.url, keepalive: { time: '10s' } });
    const call = new LocketClient(channel.clientOptions).lock(LOCK);
    // Four pings at this interval are too many.
    await new Promise((resolve) => setTimeout(resolve, 45_000));
    locket.server.clock.advance('1s');
    await call;
    await channel.close();
    await locket.close();
  });
});
