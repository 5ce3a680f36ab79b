// The entry for Node of the checker: reads the module's file when it is used first.

import { readFileSync } from 'node:fs';

import { setModuleSource } from '#glue';

setModuleSource(() => readFileSync(new URL('./checker.wasm', import.meta.url)));

export * from './check.js';
