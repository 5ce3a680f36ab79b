// The entry for Node: reads a module at its first use, synchronously.

import { glue } from '#glue';
import { glue as messages } from '#messages';
import { moduleBytes as messageBytes } from '#module/messages';
import { moduleBytes } from '#module/simulator';

import { readModule } from './base/init.js';
import { readScenarioFailures } from './base/scenario-failure.js';

readModule(glue, moduleBytes);
readModule(messages, messageBytes);
readScenarioFailures();

export * from './index.js';
