// The entry `locket-wasm/testing/jest`: `locket-wasm/testing`, and its matchers in jest's `expect`.

import { expect } from '@jest/globals';

import { type LocketMatchers, matchers } from '../testing.js';

export * from '../testing.js';

expect.extend(matchers);

declare module 'expect' {
  // For `import { expect } from '@jest/globals'`.
  interface Matchers<R extends void | Promise<void>, T = unknown> extends LocketMatchers<R> {}
}

declare global {
  namespace jest {
    // For the globals of @types/jest.
    interface Matchers<R, T = {}> extends LocketMatchers<R> {}
  }
}
