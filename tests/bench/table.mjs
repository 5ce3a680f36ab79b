// The lock table with a million live locks, through the package. lock_table.rs does the same natively.
//
//   node tests/bench/table.mjs PROFILE    prints the figures of one run

import { pathToFileURL } from 'node:url';

import { line, median } from './figures.mjs';
import { memoryOfPackage } from './memory.mjs';

const LARGE = 1_000_000;
const SMALL = 1_000;
const RENEWALS = 50_000;
const ROUNDS = 5;
const OWNER = 'owner-of-all';

const keyOf = (index) => `cell-${index.toString().padStart(7, '0')}`;

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv[2]);

async function main(profile) {
  const memory = await memoryOfPackage();
  const { LocketServer } = await import('locket-wasm');
  const keys = Array.from({ length: LARGE }, (_, index) => keyOf(index));
  const lock = (client, key) => client.lock({ key, owner: OWNER, ttl: '15s' });
  const fill = async (count) => {
    const server = new LocketServer({ profile });
    const client = server.client();
    for (let index = 0; index < count; index += 1) await lock(client, keys[index]);
    return { server, client };
  };
  // Compiled before anything is timed.
  const warmUp = await fill(20_000);
  warmUp.server.close();

  const small = await fill(SMALL);
  const before = memory();
  const started = performance.now();
  const large = await fill(LARGE);
  print('fill', seconds(started), 's');
  const strings = LARGE * (keyOf(0).length + OWNER.length);
  print('bytes-per-lock', (memory() - before - strings) / LARGE, 'bytes');

  const random = randomNumbers();
  const maps = { small: mapOf(keys.slice(0, SMALL)), large: mapOf(keys) };
  const rates = { small: [], large: [] };
  const mapRates = { small: [], large: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.small.push(await renewalRate(small, SMALL));
    rates.large.push(await renewalRate(large, LARGE));
    mapRates.small.push(updateRate(maps.small, SMALL));
    mapRates.large.push(updateRate(maps.large, LARGE));
  }
  print('renewals-1000', median(rates.small), 'calls/s');
  print('renewals-1000000', median(rates.large), 'calls/s');
  // With more rows both wait longer for memory, by no fixed part of what a call takes.
  print('renewals-waiting-ratio', waiting(rates) / waiting(mapRates), 'x');

  const expiring = performance.now();
  large.server.clock.advance('15s');
  print('expiry', seconds(expiring), 's');
  const left = large.server.stats().activeLocks;
  if (left !== 0) throw new Error(`${left} locks outlived their TTL`);

  function randomKeys(rows) {
    return Array.from({ length: RENEWALS }, () => keys[random() % rows]);
  }

  async function renewalRate({ client }, rows) {
    const order = randomKeys(rows);
    const begun = performance.now();
    for (const key of order) await lock(client, key);
    return RENEWALS / seconds(begun);
  }

  /** What any table of so many rows takes: to find a row and to change it. */
  function updateRate(map, rows) {
    const order = randomKeys(rows);
    const begun = performance.now();
    for (const key of order) map.get(key).writes += 1;
    return RENEWALS / seconds(begun);
  }
}

function mapOf(keys) {
  return new Map(keys.map((key) => [key, { owner: OWNER, writes: 1 }]));
}

/** How much longer one of many rows takes than one of few, in seconds. */
function waiting({ small, large }) {
  return 1 / median(large) - 1 / median(small);
}

/** xorshift32; lock_table.rs has the same. */
function randomNumbers() {
  let state = 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

function seconds(since) {
  return (performance.now() - since) / 1000;
}

function print(name, value, unit) {
  console.log(line(name, value, unit));
}
