// The entry `locket-wasm/testing`: helpers for tests, with any test runner.

export { assertHoldsLock, assertHoldsPresence, assertRefused } from './testing/assertions.js';
export { everyFault, type EveryFaultOptions } from './testing/every-fault.js';
export { matchers, type LocketMatchers } from './testing/matchers.js';
export type { HasTable, Verdict } from './testing/verdict.js';
export { withLocket, type LocketTest, type LocketTestBody, type WithLocketOptions } from './testing/with-locket.js';
