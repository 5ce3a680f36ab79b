// The entry for Node of the client alone: reads the file of a module that has nothing else in it, when it is used first.

import { readFileSync } from 'node:fs';

import { setModuleSource } from '#glue';

setModuleSource(() => readFileSync(new URL('./client.wasm', import.meta.url)));

export * from './client.js';
