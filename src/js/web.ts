// The entry for browsers, workers and bundlers: imports each of the package's own modules at its first use.

import { glue } from '#glue';
import { glue as messages } from '#messages';

import { carryModule } from './base/init.js';
import { readScenarioFailures } from './base/scenario-failure.js';

carryModule(glue, async () => (await import('#carried')).carriedModule());
carryModule(messages, async () => (await import('#carried-messages')).carriedModule());
readScenarioFailures();

export * from './index.js';
