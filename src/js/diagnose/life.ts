// When a process has logged anything at all, and whether its clock was set back. A process that logs is not frozen. This file knows no
// messages.

/** Lines that are nearer to each other count as one. */
const NEAR_MS = 100;
/** Of lines that are mixed up, as many go back as go on. */
const FORWARD_PER_BACK = 10;
/** More moments are forgotten, the earliest first, so that memory does not grow. */
const MOMENTS_MAX = 20_000;

/** The times of all lines of a process, by the clock of its machine. */
export class Life {
  /** In tenths of a second: plain numbers, of which the engine makes no objects. */
  #moments: number[] = [];
  #forwardCount = 0;
  #backCount = 0;
  #previousMs = -Infinity;
  /** The latest time of a line. */
  lastMs = -Infinity;

  /** True if the lines stand in the order in which they were written: a clock is set back now and then, mixed lines go back all the time. */
  get isInOrder(): boolean {
    return this.#backCount * FORWARD_PER_BACK <= this.#forwardCount;
  }

  /** True if a line is earlier than the one before it. */
  get goesBack(): boolean {
    return this.#backCount > 0;
  }

  /** Takes the time of a line. */
  note(atMs: number): void {
    if (atMs < this.#previousMs - NEAR_MS) this.#backCount += 1;
    else if (atMs > this.#previousMs + NEAR_MS) this.#forwardCount += 1;
    this.#previousMs = atMs;
    this.lastMs = Math.max(this.lastMs, atMs);
    const moment = Math.floor(atMs / NEAR_MS);
    if (moment !== this.#moments.at(-1)) this.#moments.push(moment);
    if (this.#moments.length > MOMENTS_MAX) this.#moments = this.#moments.sort((a, b) => a - b).slice(MOMENTS_MAX / 2);
  }

  /** True if there is a line between two times. */
  isBetween(fromMs: number, toMs: number): boolean {
    return this.#moments.some((moment) => moment * NEAR_MS > fromMs && (moment + 1) * NEAR_MS < toMs);
  }

  /** Forgets what is older. */
  forget(beforeMs: number): void {
    this.#moments = this.#moments.filter((moment) => moment * NEAR_MS >= beforeMs);
  }
}
