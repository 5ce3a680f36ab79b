// The small scenario that the reference and the types show.

const EXAMPLE = {
  name: 'a renewal is late',
  until: '30s',
  clients: [
    { name: 'bbs-0', key: 'bbs', ttl: '15s', retryInterval: '5s' },
    { name: 'bbs-1', key: 'bbs', ttl: '15s', retryInterval: '5s', startAt: '1s' },
  ],
  actions: [{ at: '7s', do: 'pause', node: 'bbs-0', for: '20s' }],
  expect: [{ at: '29s', key: 'bbs', owner: 'bbs-1' }],
};

/** The same as JSON, each innermost object in one line. */
export function exampleText() {
  return JSON.stringify(EXAMPLE, undefined, 2).replaceAll(/\{\n\s+([^{}]*?)\n\s+\}/g, (_, members) => `{ ${members.replaceAll(/\n\s+/g, ' ')} }`);
}
