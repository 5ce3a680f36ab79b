// Good arguments, which the targets change.

export const SCENARIO = {
  name: 'x',
  until: '10s',
  random: true,
  network: { latency: { min: '1ms', max: '20ms' }, loss: '0.5%' },
  clients: [
    { name: 'a', key: 'k', ttl: '15s', retryInterval: '5s', runner: 'upstream' },
    { name: 'b', key: 'k', ttl: '15s', retryInterval: '5s', runner: 'safe', startAt: '1s' },
    { name: 'c', key: 'k' },
  ],
  actions: [{ at: '3s', do: 'crash', node: 'a' }, { at: '4s', do: 'pause', node: 'b', for: '2s' }, { at: '5s', do: 'lock', node: 'c' }],
  expect: [{ key: 'k', twoOwnersFor: '0s' }],
};
/** Its expectation never holds, so that there is something to minimize. */
export const FAILING = { ...SCENARIO, expect: [{ key: 'k', at: '10s', owner: 'nobody' }] };
export const QUESTION = { ttl: '3s', retryInterval: '1s', runner: 'upstream', latency: '1s', pause: '1s', property: { is: 'one-owner', allow: '0s' } };
/** Answered at once. */
export const CHEAP_QUESTION = { ttl: '3s', retryInterval: '1s', runner: 'upstream', profile: 'upstream' };
export const MAP = { ttl: ['3s'], retryInterval: ['1s'], axis: 'pause', runner: 'upstream' };
export const LOCK = { key: 'k', owner: 'o', value: 'v', ttl: '15s' };
export const ROW = { path: 'k', owner: 'o', value: 'v', type: 'lock', modified_id: 'i', modified_index: 1, ttl: 15 };
export const PRESENCE = { key: 'cell', owner: 'o', value: 'v', kind: 'presence', ttl: '15s', retryInterval: '5s' };
export const RUNNER = { key: 'k', owner: 'o', value: 'v', ttl: '15s', retryInterval: '5s', runner: 'safe', margin: '1s' };
export const REQUEST = { method: 'POST', path: '/models.Locket/Fetch', headers: ['content-type', 'application/grpc-web'], body: new Uint8Array([0, 0, 0, 0, 3, 10, 1, 107]) };
