// The entry for browsers, workers and bundlers: carries the module's bytes, so there is nothing to configure.

// At once: what platforms have for this would make whoever imports the package wait.
import { gunzipSync } from 'fflate';

import { initSync } from '#glue';
import compressed from '#wasm';

initSync({ module: gunzipSync(compressed) });

export * from './index.js';
