// The client's entry for Node: reads the client-only module at first use.

import { glue } from '#glue';
import { moduleBytes } from '#module/client';

import { readModule } from './base/init.js';

readModule(glue, moduleBytes);

export * from './client.js';
