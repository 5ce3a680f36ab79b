// A fact about Locket, its database or the network that may explain findings near it.

import { type Instant, shifted } from '../instant.js';
import type { Finding } from '../model.js';
import type { Cause, Found } from './finding.js';

/** A circumstance, and its description as a cause. */
export interface Circumstance extends Found {
  because: Cause;
}

/** The circumstances, other than those that are as they should be, that explain something at a moment. */
export function explaining(circumstances: readonly Circumstance[], kinds: readonly Finding['kind'][], at: Instant, withinMs: number): Circumstance | undefined {
  const near = circumstances.filter(({ kind, from, to, isOpen }) => {
    if (!kinds.includes(kind)) return false;
    const since = shifted(from, -withinMs).ms;
    return at.ms >= since && (isOpen === true || at.ms <= to.ms + withinMs);
  });
  return near.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))[0];
}
