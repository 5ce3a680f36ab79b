// The entry for Node: reads a module's file at its first use.

import { readFileSync } from 'node:fs';

import { glue } from '#glue';
import { glue as messages } from '#messages';

import { readModule } from './base/init.js';
import { readScenarioFailures } from './base/scenario-failure.js';

readModule(glue, () => readFileSync(new URL('./simulator.wasm', import.meta.url)));
readModule(messages, () => readFileSync(new URL('./messages.wasm', import.meta.url)));
readScenarioFailures();

export * from './index.js';
