// Says that fake timers do not move a Locket with a clock of its own.

// The timers when this loads. They may be fake even then; their makers mark them.
const OWN = { setTimeout, Date };
let hasWarned = false;

const ADVICE = "They do not move the clock of this Locket. Call clock.advanceAsync, or use withLocket({ clock: 'ambient' }, …), which follows them.";

/** The words about fake global timers; `undefined` while they are real. */
export function fakeTimersHint(advice = ADVICE): string | undefined {
  const names = Object.entries(OWN).filter(([name, own]) => {
    const now = globalThis[name as keyof typeof OWN];
    // Sinon marks what it makes, as for vitest and jest, and so does the older jest.
    return now !== own || 'clock' in now || '_isMockFunction' in now;
  }).map(([name]) => name);
  if (names.length === 0) return undefined;
  return `The global ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} replaced, as by fake timers. ${advice}`;
}

/** Prints a hint: once is enough for all tests of a process. */
export function warnOfFakeTimers(hint: string): void {
  if (hasWarned) return;
  hasWarned = true;
  console.warn(hint);
}
