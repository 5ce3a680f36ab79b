// What the package weighs, and how long Node takes to import it.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { median } from './figures.mjs';

const IMPORTS = 9;

export function measurePackage(report) {
  report.heading('package');
  for (const [name, file] of [['simulator', 'simulator.wasm'], ['messages', 'messages.wasm'], ['checker', 'checker.wasm'], ['client', 'client.wasm'], ['web', 'web-core.js'], ['web-check', 'check-web.js'], ['web-client', 'client-web-core.js']]) {
    const bytes = readFileSync(`pkg/dist/${file}`);
    report.figure(`${name}-size`, bytes.length, 'bytes');
    report.figure(`${name}-size-gzip`, gzipSync(bytes, { level: 9 }).length, 'bytes');
  }
  const [{ size, unpackedSize }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', './pkg']).toString());
  report.figure('tarball-size', size, 'bytes');
  report.figure('tarball-size-unpacked', unpackedSize, 'bytes');

  report.figure('cold-import', median(Array.from({ length: IMPORTS }, () => importMs('locket-wasm'))), 'ms');
}

/** How long a fresh process takes from before the import to after it. */
function importMs(specifier) {
  const script = `
    const started = performance.now();
    await import(${JSON.stringify(specifier)});
    console.log(performance.now() - started);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script]).toString());
}
