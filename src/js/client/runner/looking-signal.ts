// An abort signal that looks before it answers.

/**
 * Has a signal call `look`, which may abort it, before it says whether it has aborted. Timers are late where a machine or
 * a process stood still; whoever asks `aborted` in a loop then asks before they fire.
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
