// The entry `locket-wasm/testing/vitest`: as `locket-wasm/testing`, with its matchers in vitest's `expect`, and a fixture.

import { expect, test, type TestAPI } from 'vitest';

import { type LocketMatchers, type LocketTest, matchers, withLocket, type WithLocketOptions } from '../testing.js';

export * from '../testing.js';

expect.extend(matchers);

declare module 'vitest' {
  // Name and parameter are vitest's.
  interface Matchers<T = any> extends LocketMatchers<void> {}
}

/** The fixtures of {@link locketTest}: the members of the argument of {@link withLocket}, and that argument. */
export interface LocketFixtures extends LocketTest {
  /** The whole argument. */
  readonly locket: LocketTest;
}

/** The part of vitest's task that says how its test has ended. */
interface Task {
  result?: { errors?: { message: string; stack?: string | undefined }[] | undefined } | undefined;
}

/**
 * A `test` of vitest with `server`, `clock` and `client` as fixtures, as {@link withLocket} gives them. A test that names none of them
 * has no Locket. It can be extended with fixtures of your own.
 *
 * @example
 * ```ts
 * const test = locketTest({ profile: 'upstream' });
 *
 * test('a second bbs waits', async ({ server, client }) => {
 *   await client('bbs-0').lock({ key: 'bbs', ttl: '15s' });
 *   expect(server).toHoldLock('bbs', 'bbs-0');
 * });
 * ```
 */
export function locketTest(options: WithLocketOptions & { clock?: 'virtual' } = {}): TestAPI<LocketFixtures> {
  return test.extend<LocketFixtures>({
    locket: ({ task }, use) => during(task, options, use),
    server: ({ locket }, use) => use(locket.server),
    clock: ({ locket }, use) => use(locket.clock),
    client: ({ locket }, use) => use(locket.client),
  });
}

/** A Locket until the test has ended. If that has failed, its error shows the events and the table, too. */
async function during(task: Task, options: WithLocketOptions & { clock?: 'virtual' }, use: (locket: LocketTest) => Promise<void>): Promise<void> {
  let used: Promise<void> | undefined;
  const run = withLocket(options, async (locket) => {
    used = use(locket);
    await used;
    const [first] = task.result?.errors ?? [];
    if (first !== undefined) throw Object.assign(new Error(first.message), { stack: first.stack });
  });
  await run().catch(async (error: unknown) => {
    // A test that waits in vain ends by that error itself.
    await used;
    const [first] = task.result?.errors ?? [];
    if (first === undefined || !(error instanceof Error) || !error.message.startsWith(first.message)) throw error;
    Object.assign(first, { message: error.message, stack: error.stack });
  });
}
