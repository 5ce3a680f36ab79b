// The in-process client puts its calls straight to the rules. It is told what a client is told whose calls are messages: the
// recorded cases, call by call, over both.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'node:test';

import { LocketClient, LocketServer } from 'locket-wasm';

import { callableCases } from '../../../cli/conform/recorded.mjs';

const CASES = callableCases(fileURLToPath(new URL('../../../', import.meta.url)));

/** What a call came to, in a form that can be compared. */
async function outcome(call) {
  try {
    return { result: await call() };
  } catch (error) {
    return { code: error.code, reason: error.reason, message: error.rawMessage, outcome: error.outcome };
  }
}

async function call(client, { method, request }) {
  return outcome(() => (method === 'fetch' ? client.fetch(request.key) : client[method](request)));
}

/** A step of a case on a server's clock. */
async function take(step, server, client) {
  if (step.waitMs === undefined) return call(client, step);
  server.clock.advance(`${step.waitMs}ms`);
  return undefined;
}

for (const preset of ['documented', 'upstream']) {
  describe(preset, () => {
    for (const database of ['postgres', 'mysql']) {
      const seen = CASES.filter(({ databases }) => databases.includes(database));
      test(`the ${seen.length} cases of ${database} are answered alike on both ways`, async () => {
        for (const { name, steps } of seen) {
          const servers = [0, 1].map(() => new LocketServer({ profile: { extends: preset, database } }));
          const [straight, wire] = servers;
          const clients = [straight.client(), new LocketClient({ baseUrl: 'http://locket.test', fetch: wire.fetch })];
          for (const [number, step] of steps.entries()) {
            const told = [];
            for (const [index, server] of servers.entries()) told.push(await take(step, server, clients[index]));
            assert.deepEqual(told[0], told[1], `${name}, step ${number}`);
          }
          assert.deepEqual(straight.table(), wire.table(), name);
          for (const server of servers) server.close();
        }
      });
    }
  });
}
