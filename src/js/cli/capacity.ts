// How many calls a Locket answers in a second, and whether a load fits. docs/understand/capacity.md
// has the measurements.

import { length } from '../picture.js';

/**
 * Renewals in a second of one real Locket process with PostgreSQL 15, on 2 shared cores with its 50
 * clients: the slowest run on a quiet machine. The runs reached 3,032 to 3,620.
 */
const CAPACITY_MEASURED = 3_032;

/** Beyond this share of its capacity, a load has a warning. */
const WARNING_SHARE = 0.7;

/** A load beside a capacity. */
export interface Capacity {
  callsPerSecond: number;
  /** Whether it was measured with the real server; otherwise the user gave it. */
  isMeasured: boolean;
  /** The part of it that the load needs; 1 is all. */
  share: number;
  verdict: 'exceeded' | 'fits' | 'warning';
  /** Why the verdict is not `fits`. */
  reasons: string[];
}

/** The capacity to use: the given one, or the measured one. */
export const usedCapacity = (given: number | undefined): number => given ?? CAPACITY_MEASURED;

/** A restart, as far as it matters here: how long its calls take, and the shortest deadline. */
interface Burst {
  servedMs: number;
  deadline: { job: string; ms: number } | null;
}

/** Whether calls fit into a given or the measured capacity, steadily and after a restart. */
export function capacityOf(callsPerSecond: number, given: number | undefined, { servedMs, deadline }: Burst): Capacity {
  const callsMax = usedCapacity(given);
  const share = callsPerSecond / callsMax;
  const reasons: string[] = [];
  if (share > 1) reasons.push('the load is larger than the capacity');
  else if (share > WARNING_SHARE) reasons.push(`the load needs more than ${WARNING_SHARE * 100} % of the capacity`);
  if (deadline !== null && servedMs > deadline.ms) reasons.push(`after a restart, calls can wait ${length(servedMs)}, longer than the deadline of ${deadline.job}, ${length(deadline.ms)}`);
  const verdict = share > 1 ? 'exceeded' : reasons.length > 0 ? 'warning' : 'fits';
  return { callsPerSecond: callsMax, isMeasured: given === undefined, share, verdict, reasons };
}
