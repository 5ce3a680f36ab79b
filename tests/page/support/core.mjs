// Modules of the page without the page: plain functions of what the package reports, loaded as Vite would build them.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const WWW = fileURLToPath(new URL('../../../www/', import.meta.url));

/** Opens `www/src`; close it when done. `load('core/status')` gives a module's exports. */
export async function openCore() {
  const { createServer } = await import(pathToFileURL(createRequire(`${WWW}package.json`).resolve('vite')).href);
  const server = await createServer({ configFile: `${WWW}vite.config.ts`, logLevel: 'error', appType: 'custom', server: { middlewareMode: true, ws: false, watch: null }, optimizeDeps: { noDiscovery: true } });
  // Vite has a copy of the package of its own.
  const { init } = await server.ssrLoadModule('locket-wasm');
  await init(readFileSync(new URL(import.meta.resolve('locket-wasm/simulator.wasm'))));
  return { load: (name) => server.ssrLoadModule(`/src/${name}.ts`), close: () => server.close() };
}
