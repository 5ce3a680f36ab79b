// The checker's entry for Node: reads the module's file at first use.

import { readFileSync } from 'node:fs';

import { glue } from '#glue';

import { readModule } from './base/init.js';
import { readScenarioFailures } from './base/scenario-failure.js';

readModule(glue, () => readFileSync(new URL('./checker.wasm', import.meta.url)));
readScenarioFailures();

export * from './check.js';
