// How fast `diagnose` reads a long log, beside `jq -c .` on the same one, and in how much memory.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { logsOf, shifted, truthOf } from '../node/support/diagnose-logs.mjs';

/** An incident that is repeated, with times that go on, until the log is so long. */
const INCIDENT = 'c-sigstop';
const BYTES = 200_000_000;
/** An incident's time, and some after it, in which its rows expire. */
const APART_MS = 30_000;

export function measureDiagnose(report) {
  report.heading(`a log of ${BYTES / 1e6} MB, in which an incident follows another: diagnose, and jq -c .`);
  const folder = mkdtempSync(join(tmpdir(), 'locket-bench-'));
  try {
    const { files, lines } = write(folder);
    const script = `
      import { createReadStream } from 'node:fs';
      import { diagnose } from 'locket-wasm/diagnose';
      const started = performance.now();
      await diagnose(process.argv.slice(1).map((name) => ({ name, data: createReadStream(name) })));
      console.log(JSON.stringify({ ms: performance.now() - started, kilobytes: process.resourceUsage().maxRSS }));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script, ...files], { encoding: 'utf8' });
    const { ms, kilobytes } = JSON.parse(stdout);
    const rate = lines / (ms / 1000);
    report.figure('diagnose-lines', rate, 'lines/s');
    report.bounded('diagnose-memory', kilobytes / 1000, 'MB', 'at most', 200);
    const started = performance.now();
    if (spawnSync('jq', ['-c', '.', ...files], { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) return;
    const peer = lines / ((performance.now() - started) / 1000);
    report.figure('diagnose-lines-jq', peer, 'lines/s');
    report.figure('diagnose-lines-ratio', rate / peer, 'x');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(folder) {
  const { from_ms, to_ms } = truthOf(INCIDENT);
  const logs = logsOf(INCIDENT).map(({ name, data }) => ({ name, lines: data.split('\n').filter(Boolean), bytes: data.length }));
  const repeats = Math.ceil(BYTES / logs.reduce((sum, { bytes }) => sum + bytes, 0));
  for (const { name, lines } of logs) {
    const file = openSync(join(folder, name), 'w');
    for (let index = 0; index < repeats; index += 1) {
      const byMs = index * Math.ceil(to_ms - from_ms + APART_MS);
      writeSync(file, `${lines.map((line) => shifted(line, byMs)).join('\n')}\n`);
    }
    closeSync(file);
  }
  return { files: logs.map(({ name }) => join(folder, name)), lines: repeats * logs.reduce((sum, { lines }) => sum + lines.length, 0) };
}
