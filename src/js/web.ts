// The entry for browsers, workers and bundlers: imports the module that the package carries when it is needed.

import { setModuleSource } from '#glue';

import { ModuleError } from './base/errors.js';
import { carryModule } from './base/init.js';

carryModule(async () => (await import('#carried')).carriedModule());
setModuleSource(() => {
  throw new ModuleError('not-loaded', 'the module of locket-wasm is not loaded yet: await init() before this');
});

export * from './index.js';
