// Runners on real timers against a server on a port. The server's clock stands still unless it is told to pass, so nothing
// here depends on how fast the machine is.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LocketClient } from 'locket-wasm';
import { GrpcChannel } from 'locket-wasm/grpc';

import { control, startServe } from './support/serve-process.mjs';

const HOLDER = fileURLToPath(new URL('support/holder.mjs', import.meta.url));
/** Long enough that no holder renews while a test lasts. */
const TTL_SECONDS = 3_600;

/** Clients by protocol. */
const CLIENTS = {
  'gRPC-Web': (url) => new LocketClient({ baseUrl: url }),
  gRPC: (url) => new LocketClient(new GrpcChannel({ url }).clientOptions),
};

let serving;
before(async () => {
  serving = await startServe('--port', '0', '--clock', 'virtual', '--profile', 'upstream');
});
after(() => serving?.end());

const advance = (ms) => control(serving.controlUrl, '/advance', { duration: `${ms}ms` });

for (const protocol of Object.keys(CLIENTS)) {
  describe(protocol, () => {
    let client;
    before(async () => {
      client = CLIENTS[protocol](serving.url);
      // Others may have been here before.
      await advance(TTL_SECONDS * 1000);
    });

    const lockOnce = (key) =>
      client.lock({ key, owner: 'another', ttl: '15s' }).then(
        () => 'taken',
        ({ reason }) => reason,
      );

    /** Starts a program that holds a lock; resolves when it does. */
    async function startHolder(key) {
      const options = JSON.stringify({ key, owner: 'holder', ttl: `${TTL_SECONDS}s`, retryInterval: '1200s' });
      const child = spawn(process.execPath, [HOLDER, serving.url, options, protocol], { stdio: ['pipe', 'pipe', 'inherit'] });
      const ended = once(child, 'close');
      const [line] = await once(child.stdout, 'data');
      assert.equal(String(line), 'held\n');
      return { child, ended };
    }

    describe('a program that holds a lock', { timeout: 60_000 }, () => {
      test('and is killed keeps others out until its TTL has ended, and no longer', async () => {
        const { child, ended } = await startHolder('killed');
        child.kill('SIGKILL');
        await ended;
        await advance(TTL_SECONDS * 1000 - 1);
        assert.equal(await lockOnce('killed'), 'lock-collision');
        await advance(1);
        assert.equal(await lockOnce('killed'), 'taken');
      });

      test('and stops cleanly lets another have it at his next try', async () => {
        const { child, ended } = await startHolder('stopped');
        assert.equal(await lockOnce('stopped'), 'lock-collision');
        child.stdin.write('stop\n');
        const [line] = await once(child.stdout, 'data');
        assert.equal(String(line), 'released\n');
        assert.equal(await lockOnce('stopped'), 'taken');
        // With nothing more to do it ends: no timer of ours keeps it.
        assert.deepEqual(await ended, [0, null]);
      });
    });
  });
}
