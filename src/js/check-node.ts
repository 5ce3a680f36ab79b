// The checker's entry for Node: reads its module at first use.

import { glue } from '#glue';
import { moduleBytes } from '#module/checker';

import { readModule } from './base/init.js';
import { readScenarioFailures } from './base/scenario-failure.js';

readModule(glue, moduleBytes);
readScenarioFailures();

export * from './check.js';
