// The entry `locket-wasm/testing/vitest`: as `locket-wasm/testing`, with its matchers in vitest's `expect`.

import { expect } from 'vitest';

import { type LocketMatchers, matchers } from '../testing.js';

export * from '../testing.js';

expect.extend(matchers);

declare module 'vitest' {
  // Name and parameter are vitest's.
  interface Matchers<T = any> extends LocketMatchers<void> {}
}
