// The calls that wait for an abort signal. All calls of a program may share a signal: it gets one listener of ours, however
// many calls wait, and none while no call waits. (Node warns of a leak from the eleventh on.)

/** By signal: those who wait, and the one listener that tells them. */
const waiting = new WeakMap();

/** Calls `callback` when `signal` aborts. Returns how to stop that. A signal that has aborted makes no more calls. */
export function onAbort(signal, callback) {
  const all = waiting.get(signal) ?? listen(signal);
  const waiter = { callback };
  all.waiters.add(waiter);
  return () => {
    if (!all.waiters.delete(waiter) || all.waiters.size > 0) return;
    signal.removeEventListener('abort', all.tell);
    waiting.delete(signal);
  };
}

function listen(signal) {
  const waiters = new Set();
  const tell = () => {
    signal.removeEventListener('abort', tell);
    waiting.delete(signal);
    for (const waiter of waiters) {
      waiters.delete(waiter);
      waiter.callback();
    }
  };
  const all = { waiters, tell };
  signal.addEventListener('abort', tell);
  waiting.set(signal, all);
  return all;
}
