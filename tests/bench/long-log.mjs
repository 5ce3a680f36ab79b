// A long log: a recorded incident that follows itself, with times that go on.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { logsOf, shifted, truthOf } from '../node/support/diagnose-logs.mjs';

const INCIDENT = 'c-sigstop';
/** An incident's time, and some after it, in which its rows expire. */
const APART_MS = 30_000;

/** Writes one of so many bytes, and removes its files when the work with them is done. */
export async function withLongLog(bytes, work) {
  const folder = mkdtempSync(join(tmpdir(), 'locket-bench-'));
  try {
    await work(write(folder, bytes));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(folder, bytes) {
  const { from_ms, to_ms } = truthOf(INCIDENT);
  const logs = logsOf(INCIDENT).map(({ name, data }) => ({ name, lines: data.split('\n').filter(Boolean), bytes: data.length }));
  const repeats = Math.ceil(bytes / logs.reduce((sum, log) => sum + log.bytes, 0));
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
