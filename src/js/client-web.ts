// The client's entry for browsers, workers and bundlers: imports the package's own module at first
// use.

import { glue } from '#glue';

import { carryModule } from './base/init.js';

carryModule(glue, async () => (await import('#carried')).carriedModule());

export * from './client.js';
