// What the tests of the package have in common.

import assert from 'node:assert/strict';

import { LocketArgumentError, LocketServer } from 'locket-wasm';

/** Production's lease. */
export const TTL_SECONDS = 15;

/** A server that does what the shipped Locket does, and a client of it. */
export function start(options) {
  const server = new LocketServer({ profile: 'upstream', ...options });
  return { server, client: server.client(), clock: server.clock };
}

/** A request for a lock. */
export function lockOf(key, owner, more) {
  return { key, owner, ttl: `${TTL_SECONDS}s`, ...more };
}

/** The error that a promise rejects with. */
export async function failureOf(promise) {
  return promise.then(
    (value) => assert.fail(`expected a rejection, not ${JSON.stringify(value)}`),
    (error) => error,
  );
}

/** What a call throws at once. */
export function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

/** That a promise rejects with an error that has these members. */
export async function assertRefused(promise, members) {
  assertMembers(await failureOf(promise), members);
}

/** That a call throws, or gives a promise that rejects with, a LocketArgumentError about this field. */
export async function assertWrongArgument(field, call, says = '') {
  const error = await failureOf((async () => call())());
  assert.ok(error instanceof LocketArgumentError, `expected a LocketArgumentError about ${field}, not ${error?.stack ?? error}`);
  assert.equal(error.field, field);
  assert.ok(error.message.startsWith(`${field}: ${says}`), error.message);
}

export function assertMembers(actual, members) {
  const found = Object.fromEntries(Object.keys(members).map((name) => [name, actual[name]]));
  assert.deepEqual(found, members, actual?.stack);
}

/** True if a promise has settled by now. */
export async function isSettled(promise) {
  const pending = {};
  return (await Promise.race([promise.catch(() => {}), new Promise((resolve) => setImmediate(resolve, pending))])) !== pending;
}
