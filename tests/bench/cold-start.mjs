// How long a fresh Node takes to import a gRPC-Web client, and to get the answer of its first call to one serve process:
// `locket-wasm/client` beside connect-web. The two take turns, so that other work of the machine slows both.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { startServe } from '../serve/support/serve-process.mjs';
import { median } from './figures.mjs';

const ROUNDS = 11;

export async function measureColdStart(report) {
  report.heading('import of a gRPC-Web client and its first call, each in a fresh Node');
  const serving = await startServe('--port', '0');
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: coldStart('client', serving.url), connect: coldStart('connect', serving.url) }));
  await serving.end();
  for (const [side, name] of [['ours', 'client'], ['connect', 'connect-web']]) {
    report.figure(`cold-import-${name}`, median(rounds.map((round) => round[side].imported)), 'ms');
    report.figure(`cold-first-call-${name}`, median(rounds.map((round) => round[side].called)), 'ms');
  }
  const ratio = (moment) => median(rounds.map(({ ours, connect }) => ours[moment] / connect[moment]));
  report.bounded('cold-import-client-ratio', ratio('imported'), 'x', 'at most', 0.2);
  report.bounded('cold-first-call-client-ratio', ratio('called'), 'x', 'at most', 0.6);
}

/** Milliseconds from the program's start until the import is done, and until the first call is answered. */
function coldStart(name, url) {
  const program = fileURLToPath(new URL(`cold-start/${name}.mjs`, import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [program, url]).toString());
}
