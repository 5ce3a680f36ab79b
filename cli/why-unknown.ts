// Why a verdict is unknown, and what to do about it.

import type { WhyUnknown } from 'locket-wasm/types';

/** The reason and the remedy of each. */
export const WHY_UNKNOWN: Record<WhyUnknown, string> = {
  'clock-rates': 'no step of a search fits a clock with a rate of its own: it finds counterexamples and proves nothing',
  'coarse-grid': '--grid is too coarse; leave it out for an exact answer',
  drift: 'no proof covers clocks that drift, and no schedule of others was found that breaks it; ask without --drift',
  'each-client': 'no proof holds for any number, and no schedule was found that breaks it; give numbers',
  suspends: 'a search with suspends finds counterexamples and proves nothing; ask without them',
  'never-exercised': 'the property was never tested; allow more faults or time',
  'too-many-states': 'the search reached its limit of states; raise --max-states, or lower a bound',
};

/** The same of several results, which are called `things`: each reason once. `undefined` if all are known. */
export function whyUnknown(results: readonly { because: WhyUnknown | null }[], things: string): string | undefined {
  const reasons = results.flatMap(({ because }) => because ?? []);
  const counted = [...new Set(reasons)].map((because) => {
    const count = reasons.filter((it) => it === because).length;
    return `no verdict for ${count} of ${results.length} ${things}: ${WHY_UNKNOWN[because]}`;
  });
  return counted.length === 0 ? undefined : counted.join('; ');
}
