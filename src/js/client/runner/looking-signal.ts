// An abort signal that checks the clocks before it answers.

/**
 * Makes a signal call `look`, which may abort it, before it returns `aborted`. Timers are late
 * after a pause of the machine or the process; a loop that reads `aborted` then runs before they
 * fire.
 */
export function lookFirst(signal: AbortSignal, look: () => void): void {
  const own = Object.getPrototypeOf(signal) as AbortSignal;
  const ask = (name: 'aborted' | 'reason'): unknown => {
    if (!Reflect.get(own, 'aborted', signal)) look();
    return Reflect.get(own, name, signal);
  };
  Object.defineProperties(signal, {
    aborted: { get: () => ask('aborted') },
    reason: { get: () => ask('reason') },
    throwIfAborted: {
      value: () => {
        if (ask('aborted')) throw ask('reason');
      },
    },
  });
}
