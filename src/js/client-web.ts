// The entry for browsers, workers and bundlers of the client alone: carries a module that has nothing else in it.

// At once: what platforms have for this would make whoever imports the package wait.
import { gunzipSync } from 'fflate';

import { initSync } from '#glue';
import compressed from '#wasm';

initSync({ module: gunzipSync(compressed) });

export * from './client-only.js';
