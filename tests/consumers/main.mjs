// Every consumer in a throw-away project under target/consumers/, which stay there to be looked at: `make test-package`.
// Prints a line each, and the sizes of what is downloaded; ends with exit code 1 if one does not work.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { NODE_ROWS } from './node-rows.mjs';
import { EXPECTED, createProject, pack } from './project.mjs';
import { TOOL_ROWS } from './tool-rows.mjs';

const packed = pack('consumers');
console.log(`${'tarball'.padEnd(22)} ${kilobytes(packed.bytes)}`);
let failed = 0;
const rows = [...NODE_ROWS, ...TOOL_ROWS];
for (const row of rows) {
  const started = performance.now();
  const problem = await problemOf(row);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${row.name.padEnd(22)} ${problem ? 'FAILED' : 'works'.padEnd(6)} ${seconds.padStart(5)} s  ${sizeOf(row)}`);
  if (problem) console.log(problem);
  if (problem) failed += 1;
}
console.log(`${rows.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** What is wrong with how the package works for the row, if anything. */
async function problemOf(row) {
  try {
    row.folder = createProject(packed, row);
    const output = await row.run(row.folder);
    return output.includes(EXPECTED) ? undefined : `printed ${output}, not ${EXPECTED}`;
  } catch (error) {
    return error.message;
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
