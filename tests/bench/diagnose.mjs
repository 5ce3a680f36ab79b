// How fast `diagnose` reads a long log, beside `jq -c .` on the same one, and in how much memory.

import { spawnSync } from 'node:child_process';

import { median } from './figures.mjs';
import { withLongLog } from './long-log.mjs';

const BYTES = 200_000_000;
/** Each side's, in turn. */
const RUNS = 3;

const SCRIPT = `
  import { createReadStream, existsSync, readFileSync } from 'node:fs';
  import { diagnose } from 'locket-wasm/diagnose';
  const started = performance.now();
  await diagnose(process.argv.slice(1).map((name) => ({ name, data: createReadStream(name, { highWaterMark: 16384 }) })));
  const ms = performance.now() - started;
  // What Linux counts in resourceUsage() begins with the memory of the process that started this one.
  const status = '/proc/self/status';
  const kilobytes = existsSync(status) ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1]) : process.resourceUsage().maxRSS;
  console.log(JSON.stringify({ ms, kilobytes }));`;

export async function measureDiagnose(report) {
  report.heading(`a log of ${BYTES / 1e6} MB, in which an incident follows another: diagnose, and jq -c .`);
  await withLongLog(BYTES, ({ files, lines }) => {
    const [own, peer] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      own.push(diagnosed(files));
      peer.push(jqMs(files));
    }
    const perSecond = (ms) => lines / (median(ms) / 1000);
    const rate = perSecond(own.map(({ ms }) => ms));
    report.figure('diagnose-lines', rate, 'lines/s');
    report.bounded('diagnose-memory', median(own.map(({ kilobytes }) => kilobytes)) / 1000, 'MB', 'at most', 103);
    if (peer.includes(undefined)) return;
    report.figure('diagnose-lines-jq', perSecond(peer), 'lines/s');
    report.bounded('diagnose-lines-ratio', rate / perSecond(peer), 'x', 'at least', 0.94);
  });
}

function diagnosed(files) {
  return JSON.parse(spawnSync(process.execPath, ['--input-type=module', '--eval', SCRIPT, ...files], { encoding: 'utf8' }).stdout);
}

/** `undefined` without jq. */
function jqMs(files) {
  const started = performance.now();
  return spawnSync('jq', ['-c', '.', ...files], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0 ? performance.now() - started : undefined;
}
