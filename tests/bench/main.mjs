// Measures speed and prints every figure as `name value unit`, with its peer from the same run; at the end, the
// required bounds and whether each holds. Ends with an error only if something broke. Run through `make bench`.

import { execFileSync } from 'node:child_process';

import { measureCalls } from './calls.mjs';
import { measureClients } from './clients.mjs';
import { measureColdStart } from './cold-start.mjs';
import { measureDiagnose } from './diagnose.mjs';
import { measureEveryFault } from './every-fault.mjs';
import { median, parse, Report } from './figures.mjs';
import { measurePage } from './page.mjs';

/** Runs of each side of the table's figures, in turn. */
const RUNS = { documented: 3, upstream: 1 };

/** What was reached, and 15 % more; of what is over in some milliseconds, twice as much. In the figures' units. */
const CHECK_BOUNDS = new Map([
  ['check-delay-2', 0.5], ['check-delay-5', 0.5], ['check-delay-7', 1.2], ['check-first-attempt', 7], ['check-ttl-14', 27],
  ['check-pause-1', 105], ['check-pause-11', 3.5], ['check-lost-renewal', 1.5], ['check-safe', 6], ['check-map-60', 0.1],
]);
/** Shorter questions are mostly the way between JavaScript and the module, and an engine's first compilation of it. */
const BESIDE_NATIVE_MIN_MS = 10;

const report = new Report();
await measureColdStart(report);
await measureCalls(report);
await measureClients(report);
await measurePage(report);
await measureDiagnose(report);
await measureEveryFault(report);
measureSeeds();
measureCheck();
measureDay();
measureMinute();
for (const profile of ['documented', 'upstream']) measureTable(profile);
report.bounds();

function measureTable(profile) {
  report.heading(`1,000,000 live locks, profile ${profile}: the package, the same natively, and time beside native`);
  const outputs = { wasm: '', native: '' };
  for (let run = 0; run < RUNS[profile]; run += 1) {
    outputs.wasm += output(process.execPath, 'tests/bench/table.mjs', profile);
    outputs.native += output('cargo', 'bench', '--quiet', '--bench', 'lock_table', '--', profile);
  }
  const wasm = middle(outputs.wasm);
  const native = middle(outputs.native);
  const isDefault = profile === 'documented';
  const figure = (name, value, unit, ...bound) => {
    const full = `${profile}-${name}`;
    if (isDefault && bound.length > 0) report.bounded(full, value, unit, ...bound);
    else report.figure(full, value, unit);
  };
  const bounds = { 'bytes-per-lock': ['at most', 250], expiry: ['at most', 0.8], 'renewals-waiting-ratio': ['at most', 4.5] };
  for (const [name, { value, unit }] of wasm) {
    figure(name, value, unit, ...(bounds[name] ?? []));
    const peer = native.get(name);
    if (peer === undefined) continue;
    figure(`${name}-native`, peer.value, unit);
    const timeRatio = unit === 's' ? value / peer.value : peer.value / value;
    if (unit === 'bytes') figure(`${name}-ratio`, value / peer.value, 'x');
    else figure(`${name}-time-ratio`, timeRatio, 'x', ...(name === 'fill' ? [] : ['at most', 1.2]));
  }
}

function measureSeeds() {
  report.heading('10,000 random runs of two clients, five minutes and many faults: the package, and the same natively');
  const wasm = middle(output(process.execPath, 'tests/bench/seeds.mjs')).get('seeds');
  const native = middle(output('cargo', 'bench', '--quiet', '--bench', 'seeds')).get('seeds');
  report.bounded('seeds', wasm.value, wasm.unit, 'at least', 2_000);
  report.bounded('seeds-native', native.value, native.unit, 'at least', 4_300);
  report.bounded('seeds-time-ratio', native.value / wasm.value, 'x', 'at most', 2);
}

function measureCheck() {
  report.heading('Questions to the checker, natively and in the package, and its speed beside Stateright on the same states');
  const native = middle(output('cargo', 'bench', '--quiet', '-p', 'locket-sim', '--bench', 'check'));
  const wasm = middle(output(process.execPath, 'tests/bench/check.mjs'));
  for (const [name, { value, unit }] of native) {
    const bound = CHECK_BOUNDS.get(name);
    if (bound === undefined) report.figure(name, value, unit);
    else report.bounded(name, value, unit, 'at most', bound);
    const inWasm = wasm.get(`${name}-wasm`);
    if (inWasm === undefined) continue;
    report.figure(`${name}-wasm`, inWasm.value, unit);
    const ratio = inWasm.value / value;
    if (unit === 's' || value >= BESIDE_NATIVE_MIN_MS) report.bounded(`${name}-time-ratio`, ratio, 'x', 'at most', 2);
    else report.figure(`${name}-time-ratio`, ratio, 'x');
  }
  report.bounded('check-states-to-stateright', native.get('check-states').value / native.get('check-states-stateright').value, 'x', 'at least', 2.25);
  report.bounded('check-abort-wasm', wasm.get('check-abort-wasm').value, 'ms', 'at most', 20);
}

function measureDay() {
  report.heading('A simulated day of 1,000 presences and two lock runners: the package, and the same natively; an hour of 100,000 presences');
  const wasm = output(process.execPath, 'tests/bench/day.mjs');
  const native = output('cargo', 'bench', '--quiet', '--bench', 'day');
  if (digestOf(wasm) !== digestOf(native)) throw new Error('the two told different days');
  const bounds = { wasm: { day: 5.9, 'day-memory-growth': 64 }, native: { day: 2.7, 'day-memory-growth': 1024, 'many-hour': 38, 'many-memory': 122_000, 'many-memory-growth': 1024 } };
  for (const [name, { value, unit }] of middle(wasm)) bounded(name, value, unit, bounds.wasm[name]);
  for (const [name, { value, unit }] of middle(native)) bounded(`${name}-native`, value, unit, bounds.native[name]);
  function bounded(name, value, unit, most) {
    if (most === undefined) report.figure(name, value, unit);
    else report.bounded(name, value, unit, 'at most', most);
  }
}

function measureMinute() {
  report.heading('A simulated minute of the same, beside turmoil, which simulates programs on tokio');
  for (const [name, { value, unit }] of middle(output('target/peers/release/locket-bench-peers'))) {
    if (name === 'minute-turmoil-ratio') report.bounded(name, value, unit, 'at least', 13.5);
    else report.figure(name, value, unit);
  }
}

function digestOf(output) {
  return /^digest of the day: (\w+)$/m.exec(output)[1];
}

function output(program, ...args) {
  return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }).toString();
}

function middle(text) {
  return new Map([...parse(text)].map(([name, { values, unit }]) => [name, { value: median(values), unit }]));
}
