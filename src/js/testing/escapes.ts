// What a program does that no fault can reach, noticed as it is made: real timers, files, sockets, threads.

import type { Program } from './host.js';
import { builtin, current } from './machine-context.js';

/** By the names that Node has for them. */
const KINDS: [RegExp, string][] = [
  [/^(Timeout|Immediate)$/, 'a real timer'],
  [/^FSREQ/, 'an access to a file'],
  [/^(TCP|UDP|GETADDRINFO)/, 'a connection'],
  [/^PROCESS/, 'a process'],
  [/^WORKER/, 'a worker thread'],
];

/** Notices them during `work`, where the platform tells them. Throws for the first one. */
export async function withoutEscapes<T>(work: () => Promise<T>): Promise<T> {
  let first: Error | undefined;
  const init = (_: number, type: string): void => {
    const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1];
    const program = kind === undefined ? undefined : (current() as Program | undefined);
    if (program === undefined || first !== undefined) return;
    first = new Error(
      `host '${program.host.name}' makes ${kind}, which no fault can reach and no clock moves. Hand it in from the test: ` +
        'outside(name, work) for a call of another service, the fetch and clock of its argument for what it makes itself.',
    );
  };
  const hook = builtin?.('node:async_hooks').createHook({ init });
  hook?.enable();
  try {
    const result = await work();
    if (first !== undefined) throw first;
    return result;
  } finally {
    hook?.disable();
  }
}
