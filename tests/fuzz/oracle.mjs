// What may come of a call, whatever it was given: a value, or one of the package's own errors; and then everything goes on.

import assert from 'node:assert/strict';

import { LocketArgumentError, LocketError, LocketServer, LockLostError, LockTimeoutError, ScenarioError, StepLimitError } from 'locket-wasm';

const OURS = [LocketArgumentError, LocketError, LockLostError, LockTimeoutError, ScenarioError, StepLimitError];

/** Calls, waits, and gives the value; `undefined` if it was refused as it should. Other errors may be `allowed`. */
export async function taken(call, allowed = () => false) {
  try {
    return await call();
  } catch (error) {
    const isOurs = OURS.some((type) => error instanceof type) && !/bug in locket-wasm/.test(error.message);
    if (isOurs || allowed(error)) return undefined;
    throw new Error(`it fails with an error that is not for its caller: ${error?.stack ?? String(error)}`, { cause: error });
  }
}

/** Errors of what the caller gave up, or of a signal that says so. */
export const isAbort = (error) => error instanceof DOMException && ['AbortError', 'TimeoutError'].includes(error.name);

/** That the module serves the next call. */
export async function assertWorks() {
  const server = new LocketServer({ profile: 'upstream' });
  const client = server.client();
  await client.lock({ key: 'canary', owner: 'me', value: 'still here', ttl: '15s' });
  assert.equal((await client.fetch('canary')).value, 'still here');
  server.clock.advance('15s');
  assert.deepEqual(server.table(), []);
  server.close();
}
