// Every consumer in a throw-away project under target/consumers/, which stay there to be looked at: `make test-package`.
// Prints a line each, and the sizes of what is downloaded; ends with exit code 1 if one does not work.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { BUNDLE_ROWS, INSTALLED_BUNDLE_ROWS } from './bundle-rows.mjs';
import { INSTALLED_ROWS } from './installed-rows.mjs';
import { NODE_ROWS } from './node-rows.mjs';
import { EXPECTED, NotInstalled, createProject, pack } from './project.mjs';
import { TOOL_ROWS } from './tool-rows.mjs';

const packed = pack('consumers');
console.log(`${'tarball'.padEnd(22)} ${kilobytes(packed.bytes)}`);
const counts = { works: 0, FAILED: 0, skipped: 0 };
// A name, or a part of one, tries only the rows with it.
const rows = [...NODE_ROWS, ...BUNDLE_ROWS, ...TOOL_ROWS, ...INSTALLED_ROWS, ...INSTALLED_BUNDLE_ROWS].filter(({ name }) => name.includes(process.argv[2] ?? ''));
for (const row of rows) {
  const started = performance.now();
  const { verdict, reason } = await tryRow(row);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${row.name.padEnd(22)} ${verdict.padEnd(7)} ${seconds.padStart(5)} s  ${sizeOf(row)}`);
  if (reason) console.log(reason);
  counts[verdict] += 1;
}
console.log(`${counts.works} passed, ${counts.FAILED} failed, ${counts.skipped} skipped`);
process.exitCode = counts.FAILED === 0 ? 0 : 1;

/** Whether the package works for the row, and if not, why. */
async function tryRow(row) {
  try {
    row.folder = createProject(packed, row);
    const output = await row.run(row.folder);
    return output.includes(EXPECTED) ? { verdict: 'works' } : { verdict: 'FAILED', reason: `printed ${output}, not ${EXPECTED}` };
  } catch (error) {
    // Some come as programs for a platform, which not every registry and platform has.
    const skipped = row.needsPlatform && error instanceof NotInstalled;
    return { verdict: skipped ? 'skipped' : 'FAILED', reason: error.message };
  }
}

function sizeOf({ bundle, folder }) {
  if (!bundle || !existsSync(join(folder, bundle))) return '';
  const bytes = readFileSync(join(folder, bundle));
  return `bundle ${kilobytes(bytes.length)}, gzipped ${kilobytes(gzipSync(bytes, { level: 9 }).length)}`;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(0)} KB`;
}
