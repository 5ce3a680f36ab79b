// Modules of the page without the page: plain functions of what the package reports, loaded as Vite would build them.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const WWW = fileURLToPath(new URL('../../../www/', import.meta.url));

/** What some modules of `www/src`, such as `core/status`, export, for the tests of a file. */
export async function loadCore(...names) {
  const { createServer } = await import(pathToFileURL(createRequire(`${WWW}package.json`).resolve('vite')).href);
  const server = await createServer({ configFile: `${WWW}vite.config.ts`, logLevel: 'error', appType: 'custom', server: { middlewareMode: true, ws: false, watch: null }, optimizeDeps: { noDiscovery: true } });
  // Vite has a copy of the package of its own.
  const { init } = await server.ssrLoadModule('locket-wasm');
  await init(readFileSync(new URL(import.meta.resolve('locket-wasm/simulator.wasm'))));
  after(() => server.close());
  return Object.assign({}, ...(await Promise.all(names.map((name) => server.ssrLoadModule(`/src/${name}.ts`)))));
}
