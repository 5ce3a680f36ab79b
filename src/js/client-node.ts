// The client's entry for Node: reads the file of the client-only module at first use.

import { readFileSync } from 'node:fs';

import { glue } from '#glue';

import { readModule } from './base/init.js';

readModule(glue, () => readFileSync(new URL('./client.wasm', import.meta.url)));

export * from './client.js';
