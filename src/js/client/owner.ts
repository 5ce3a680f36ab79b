// The owner of a client that was given none.

import { requestId } from '#glue';

import { text } from '../base/checks.js';
import { LocketArgumentError } from '../base/errors.js';

/** Node's `process`; other runtimes have a part of it, or nothing. */
interface Program {
  pid?: number;
  getBuiltinModule?: (name: string) => { hostname(): string } | undefined;
}

/**
 * An owner that no other client has, not even in the same process: two clients with one owner both hold its locks. The table shows the
 * host and the process in it, where the runtime tells them.
 */
export function uniqueOwner(): string {
  const { pid, getBuiltinModule } = (globalThis as { process?: Program }).process ?? {};
  const host = getBuiltinModule?.('node:os')?.hostname().slice(0, HOST_MAX);
  return [host, pid, requestId().slice(-12)].filter((part) => part !== undefined).join('-');
}

/** An owner has 255 characters at most. */
const HOST_MAX = 200;

/** An owner, checked. Nothing is made up for a test's client without a name: it would differ from run to run. */
export function ownerText(owner: unknown): string {
  if (owner !== undefined) return text('owner', owner);
  throw new LocketArgumentError('owner', "expected a string; or name the client, as in client('a'): its name is its owner");
}
