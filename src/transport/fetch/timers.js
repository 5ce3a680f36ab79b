// Timers of any length, which fake timers drive or do not, as one wants.

/** Longer timeouts fire at once in every JavaScript engine. */
const TIMEOUT_MAX = 2 ** 31 - 1;

// The timers at load time: a deadline must pass even if a test moves time by hand. If a test faked
// them before this loads, the fakes of sinon (and so of vitest and jest) know what they stand for.
const real = { setTimeout: original('setTimeout'), clearTimeout: original('clearTimeout') };
const RealDate = original('Date');
const performance = original('performance');
// Not the object's own, which fakes replace, too.
const now = Object.getPrototypeOf(performance)?.now ?? performance.now;

/** Milliseconds since some moment; by `ambient`, on the clock that is the global one now. */
export function monotonicMs(ambient) {
  return ambient ? globalThis.performance.now() : now.call(performance);
}

/** Milliseconds since 1970, which may jump; by `ambient`, of the `Date` that is the global one now. */
export function wallMs(ambient) {
  return ambient ? globalThis.Date.now() : RealDate.now();
}

/**
 * Calls `callback` after `ms`; by `ambient`, on the timers that are the global ones at that moment. Returns how to stop
 * that.
 */
export function startTimer(ms, callback, ambient) {
  let stop;
  const wait = (left) => {
    const { setTimeout, clearTimeout } = ambient ? globalThis : real;
    const part = Math.min(left, TIMEOUT_MAX);
    const id = setTimeout(() => (left > part ? wait(left - part) : callback()), part);
    stop = () => clearTimeout(id);
  };
  wait(ms);
  return () => stop();
}

/** The clock of a call that has none of its own: real time. */
export const REAL_CLOCK = {
  read: () => ({ monotonicMs: monotonicMs(false) }),
  startTimer: (ms, callback) => startTimer(ms, callback, false),
};

const setImmediate = original('setImmediate');
const MessageChannel = original('MessageChannel');

/**
 * Calls `callback` soon, when everything else that waits had its turn: not as a timer, of which browsers make a long row
 * wait, and whatever is faked.
 */
export function nextTask(callback) {
  if (setImmediate !== undefined) setImmediate(callback);
  else if (MessageChannel !== undefined) throughChannel(callback);
  else real.setTimeout(callback, 0);
}

function throughChannel(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
}

function original(name) {
  const current = globalThis[name];
  return current?.clock?.[`_${name}`] ?? current;
}
