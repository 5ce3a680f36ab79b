// What a program does that no fault can reach, noticed as it is made: real timers, files, sockets, threads.

import type { Program, RunHost } from './host.js';
import { builtin, current } from './machine-context.js';
import type { Run } from './run.js';

const HAND_IN = 'Hand it in from the test: outside(name, work) for a call of another service, the fetch and clock of its argument for what it makes itself.';
/** By the names that Node has for them. Others make timers, too, so those come last. */
const KINDS: [RegExp, string, advice?: string][] = [
  [/^FSREQ/, 'an access to a file'],
  [/^(fetch|TCP|UDP|GETADDRINFO)/, 'a connection'],
  [/^PROCESS/, 'a process'],
  [/^WORKER/, 'a worker thread'],
  [/^(Timeout|Immediate)$/, 'a real timer', 'Import locket-wasm/testing before the program, which else keeps the timers of the platform.'],
];

/** Notices them during a run, where the platform tells them. Throws for one of them, also if the run fails. */
/** @internal */
export async function withoutEscapes(begin: () => Promise<Run>): Promise<Run> {
  const escapes: { kind: number; host: RunHost }[] = [];
  const notice = (type: string): void => {
    const kind = KINDS.findIndex(([pattern]) => pattern.test(type));
    const program = kind < 0 ? undefined : (current() as Program | undefined);
    if (program !== undefined) escapes.push({ kind, host: program.host });
  };
  const hook = builtin?.('node:async_hooks').createHook({ init: (_, type) => notice(type) });
  // Node connects outside of the program.
  const { fetch } = globalThis;
  const noticed: typeof fetch = (...args) => (notice('fetch'), fetch(...args));
  globalThis.fetch &&= noticed;
  hook?.enable();
  const run = await begin();
  hook?.disable();
  if (globalThis.fetch === noticed) globalThis.fetch = fetch;
  // A program of an earlier test may still be busy.
  const [first] = escapes.filter(({ host }) => host.run === run).sort((a, b) => a.kind - b.kind);
  if (first === undefined) return run;
  const [, what, advice = HAND_IN] = KINDS[first.kind] as (typeof KINDS)[number];
  throw new Error(`host '${first.host.name}' makes ${what}, which no fault can reach and no clock moves. ${advice}`);
}
