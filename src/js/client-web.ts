// The entry for browsers, workers and bundlers of the client alone: imports the module that the package carries when it is needed.

import { setModuleSource } from '#glue';

import { ModuleError } from './errors.js';
import { carryModule } from './init.js';

carryModule(async () => (await import('#carried')).carriedModule());
setModuleSource(() => {
  throw new ModuleError('not-loaded', 'the module of locket-wasm is not loaded yet: await init() before this');
});

export * from './client-only.js';
