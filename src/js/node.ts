// The entry for Node: reads the module's file.

import { readFileSync } from 'node:fs';

import { initSync } from '#glue';

initSync({ module: readFileSync(new URL('./locket.wasm', import.meta.url)) });

export * from './index.js';
