// What a program does that no fault can reach, noticed as it is made: real timers, files, sockets, threads.

import type { Program, RunHost } from './host.js';
import { builtin, context, current } from './machine-context.js';
import type { Run } from './run.js';

const HAND_IN = 'Hand it in from the test: outside(name, work) for a call of another service, the fetch and clock of its argument for what it makes itself.';
/** By the names that Node has for them. Others make timers, too, so those come last. */
const KINDS: [RegExp, string, advice?: string][] = [
  [/^FSREQ/, 'an access to a file'],
  [/^(fetch|TCP|UDP|GETADDRINFO)/, 'a connection'],
  [/^PROCESS/, 'a process'],
  [/^WORKER/, 'a worker thread'],
  [/^setTimeout$/, 'a real timer', "Take those of its argument's clock."],
  [/^(Timeout|Immediate)$/, 'a real timer', 'Import locket-wasm/testing before the program, which else keeps the timers of the platform.'],
];

/** Notices them during a run, where the platform tells them. Throws for one of them, also if the run fails. */
/** @internal */
export async function withoutEscapes(begin: () => Promise<Run>): Promise<Run> {
  const escapes: { kind: number; host: RunHost | undefined }[] = [];
  const notice = (type: string): void => {
    const kind = KINDS.findIndex(([pattern]) => pattern.test(type));
    const program = kind < 0 ? undefined : (current() as Program | undefined);
    if (program !== undefined || (context === undefined && kind >= 0)) escapes.push({ kind, host: program?.host });
  };
  const hook = builtin?.('node:async_hooks').createHook({ init: (_, type) => notice(type) });
  // Node connects outside of the program, and a browser tells nothing.
  const restores = [noticed('fetch', notice), ...(context === undefined ? [noticed('setTimeout', notice)] : [])];
  hook?.enable();
  const run = await begin();
  hook?.disable();
  for (const restore of restores) restore();
  // A program of an earlier test may still be busy.
  const [first] = escapes.filter(({ host }) => host === undefined || host.run === run).sort((a, b) => a.kind - b.kind);
  if (first === undefined) return run;
  const [, what, advice = HAND_IN] = KINDS[first.kind] as (typeof KINDS)[number];
  const who = first.host === undefined ? 'a program' : `host '${first.host.name}'`;
  throw new Error(`${who} makes ${what}, which no fault can reach and no clock moves. ${advice}`);
}

/** Notices the calls of a global function. Returns how to end that. */
function noticed(name: 'fetch' | 'setTimeout', notice: (type: string) => void): () => void {
  const all = globalThis as unknown as Record<string, ((...args: unknown[]) => unknown) | undefined>;
  const own = all[name];
  const noticing = (...args: unknown[]): unknown => (notice(name), own?.(...args));
  if (own !== undefined) all[name] = noticing;
  return () => {
    if (all[name] === noticing) all[name] = own;
  };
}
