// The checker's entry for browsers, workers and bundlers: imports the package's own module at first
// use.

import { glue } from '#glue';

import { carryModule } from './base/init.js';
import { readScenarioFailures } from './base/scenario-failure.js';

carryModule(glue, async () => (await import('#carried')).carriedModule());
readScenarioFailures();

export * from './check.js';
