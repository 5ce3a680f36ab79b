// Good arguments, which the targets change.

import { TypeCode } from 'locket-wasm';

export const SCENARIO = {
  name: 'x',
  until: '10s',
  random: true,
  network: { latency: { min: '1ms', max: '20ms' }, lossPerMille: 5 },
  clients: [
    { name: 'a', key: 'k', ttl: '15s', retry: '5s' },
    { name: 'b', key: 'k', ttl: '15s', retry: '5s', runner: 'safe', start: '1s' },
    { name: 'c', key: 'k' },
  ],
  actions: [{ at: '3s', do: 'crash', node: 'a' }, { at: '4s', do: 'pause', node: 'b', for: '2s' }, { at: '5s', do: 'lock', node: 'c' }],
  expect: [{ key: 'k', twoOwnersFor: '0s' }],
};
/** Its expectation never holds, so that there is something to shrink. */
export const FAILING = { ...SCENARIO, expect: [{ key: 'k', at: '10s', owner: 'nobody' }] };
export const QUESTION = { ttlSeconds: 3, retrySeconds: 1, runner: 'upstream', delay: '1s', pause: '1s', property: { is: 'one-owner', tolerated: '0s' } };
/** Answered at once. */
export const CHEAP_QUESTION = { ttlSeconds: 3, retrySeconds: 1 };
export const MAP = { ttlSeconds: [3], retrySeconds: [1], axis: 'pause', runner: 'upstream' };
export const LOCK = { key: 'k', owner: 'o', value: 'v', typeCode: TypeCode.LOCK, ttlSeconds: 15 };
export const ROW = { path: 'k', owner: 'o', value: 'v', type: 'lock', modified_id: 'i', modified_index: 1, ttl: 15 };
export const RUNNER = { key: 'k', owner: 'o', value: 'v', ttlSeconds: 15, retryIntervalMs: 5_000, variant: 'safe', marginMs: 1_000 };
export const REQUEST = { method: 'POST', path: '/models.Locket/Fetch', headers: ['content-type', 'application/grpc-web'], body: new Uint8Array([0, 0, 0, 0, 3, 10, 1, 107]) };
