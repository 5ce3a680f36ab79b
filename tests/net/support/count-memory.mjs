// A program that makes calls and counts what they leave behind: `node --expose-gc count-memory.mjs BASE`. It prints the bytes
// that each call retained: on the heap, in the module's memory and in its table of references.

import { setTimeout as sleep } from 'node:timers/promises';

const WARM_UP = 2_000;
const CALLS = 10_000;
/** What the hostile server answers: a success, a refusal, and what is no answer. */
const PATHS = ['good', 'message-then-error', 'truncated-at-9', 'content-type-html'];

let module;
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...given) {
    super(...given);
    module = this.exports;
  }
};
const { LocketClient } = await import('locket-wasm');

const [base] = process.argv.slice(2);
const clients = PATHS.map((path) => new LocketClient({ baseUrl: `${base}/${path}`, timeout: '60s' }));

async function call(count) {
  for (let made = 0; made < count; made += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, i) => clients[(made + i) % clients.length].fetch('k').catch(() => {})));
  }
}

async function used() {
  for (let round = 0; round < 3; round += 1) {
    await sleep(20);
    globalThis.gc();
  }
  const table = Object.values(module).find((value) => value instanceof WebAssembly.Table);
  return process.memoryUsage().heapUsed + module.memory.buffer.byteLength + 8 * table.length;
}

await call(WARM_UP);
const before = await used();
await call(CALLS);
console.log(((await used()) - before) / CALLS);
