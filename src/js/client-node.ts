// The entry for Node of the client alone: reads the file of a module that has nothing else in it.

import { readFileSync } from 'node:fs';

import { initSync } from '#glue';

initSync({ module: readFileSync(new URL('./client.wasm', import.meta.url)) });

export * from './client-only.js';
