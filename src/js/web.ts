// The entry for browsers, workers and bundlers: carries the module's bytes, so there is nothing to configure.

import { initSync } from '#glue';
import bytes from '#wasm';

initSync({ module: bytes });

export * from './index.js';
