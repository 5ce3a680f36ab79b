// The command line as one executable, for machines without Node: Node itself with the program inside (a single executable
// application). Prints its size and how long it takes to start.
//
//   node .ci/binary.mjs   (`make binary`), after the package was built

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = `${ROOT}target/binary`;
const BINARY = `${FOLDER}/locket-wasm`;
const SOURCE = `${FOLDER}/cli.cjs`;

const HEAD = "const importMetaUrl = require('node:url').pathToFileURL(process.execPath).href;";

/** Installed by .ci/setup postject. */
const POSTJECT = `${ROOT}.tools/postject/node_modules/postject/dist/cli.js`;

mkdirSync(FOLDER, { recursive: true });
await build({
  entryPoints: [`${ROOT}pkg/dist/cli.js`],
  outfile: SOURCE,
  bundle: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: HEAD },
  logLevel: 'error',
});
// The program is an asset, too: its threads run it. Its path becomes a part of the executable, so it does not name this machine.
writeFileSync(`${FOLDER}/sea.json`, JSON.stringify({ main: 'cli.cjs', output: 'program.blob', disableExperimentalSEAWarning: true, assets: { 'cli.cjs': 'cli.cjs' } }));
execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: FOLDER, stdio: 'pipe' });
copyFileSync(process.execPath, BINARY);
chmodSync(BINARY, 0o755);
// Its warnings about sections of Node's own are no news.
execFileSync(process.execPath, [POSTJECT, BINARY, 'NODE_SEA_BLOB', `${FOLDER}/program.blob`, '--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'], { stdio: 'pipe' });

const starts = Array.from({ length: 5 }, () => {
  const begun = performance.now();
  execFileSync(BINARY, ['--version']);
  return performance.now() - begun;
}).sort((a, b) => a - b);
console.log(`${BINARY}: ${(statSync(BINARY).size / 1e6).toFixed(0)} MB, starts in ${starts[2].toFixed(0)} ms, for ${process.platform} on ${process.arch}`);
