// The time of the hostile modes, by the machine's monotonic clock, which all processes share and no mode changes.

const hrtime = process.hrtime.bigint;

export const nowMs = () => Number(hrtime()) / 1e6;

/** Calls pass until `cutMs`. A disturbance begins before `lastMs`, and the rival gives the lock back at `endMs`. */
export const CYCLE = { lengthMs: 6_000, cutMs: 1_500, lastMs: 1_800, disturbedMs: 3_200, endMs: 5_600 };

export const phaseMs = () => nowMs() % CYCLE.lengthMs;

export function busy(ms) {
  const end = nowMs() + ms;
  while (nowMs() < end);
}
