// The client's entry for browsers, workers and bundlers: imports the package's own module at first
// use.

import { setModuleSource } from '#glue';

import { ModuleError } from './base/errors.js';
import { carryModule } from './base/init.js';

carryModule(async () => (await import('#carried')).carriedModule());
setModuleSource(() => {
  throw new ModuleError('not-loaded', 'the WebAssembly module is not loaded yet; await init() before this call');
});

export * from './client.js';
