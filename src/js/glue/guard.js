// Stands between the glue and the instance of the module, so that a trap ends that instance and nothing else.
//
// A trap leaves the memory as it happens to be then, in which nothing can be relied on. So a new instance of the same module
// takes the old one's place before the next call. Objects of the old one are lost, and their methods throw an error.

/** Makes the error that callers get of what ended an instance. */
let errorOfTrap = (trap) => trap;
/** Makes the error of who uses what is lost. */
let errorOfLoss = () => new Error('its instance of the module has ended');
/** Makes the error of a module that cannot be loaded. */
let errorOfLoading = (thrown) => thrown;
/** Where the module's bytes come from, or what was compiled of them. */
let source = () => undefined;
/** Takes a new instance in the place of one with a larger memory than this. */
let renew = () => {};
/** Those who wait for something of the instance. */
const waiting = new Set();
/** The errors of traps that have ended an instance. */
const ends = new WeakSet();

/** Sets the errors that callers get; src/js/wasm.ts knows them. */
export function setModuleErrors(ofTrap, ofLoss, ofLoading) {
  errorOfTrap = ofTrap;
  errorOfLoss = ofLoss;
  errorOfLoading = ofLoading;
}

/** Says where the module comes from when it is used first; each entry knows. */
export function setModuleSource(given) {
  source = given;
}

/** Stands for the exports of an instance until one of them is used: `instantiate` makes it then, and takes its place. */
export function atFirstUse(instantiate) {
  const load = () => {
    try {
      return instantiate(source());
    } catch (thrown) {
      throw errorOfLoading(thrown);
    }
  };
  return new Proxy({}, { get: (_, name) => load()[name] });
}

/** Calls back if the instance ends; gives what takes that back. */
export function onInstanceEnd(callback) {
  waiting.add(callback);
  return () => waiting.delete(callback);
}

/**
 * Gives back a memory of more bytes, which never shrinks: a new instance takes the old one's place. Only for those who know
 * that nothing else lives in it.
 */
export function giveBackAbove(bytes) {
  renew(bytes);
}

/** Whether this error has ended an instance, and another one has taken its place. */
export function hasEnded(error) {
  return ends.has(error);
}

/** The error of who uses something that lived in an instance which has ended. */
export function lost() {
  return errorOfLoss();
}

/** The exports of an instance, which `replace` is called to replace once one of them has trapped. */
export function guarded(exports, replace) {
  /** How many calls are under way: the module calls JavaScript, which may call it again. */
  let depth = 0;
  let trap;
  let isEnding = false;
  const end = () => {
    isEnding = true;
    const error = errorOfTrap(trap, exports.memory.buffer.byteLength);
    ends.add(error);
    try {
      replace();
    } catch {
      // No memory for another one yet: the next call tries again.
      isEnding = false;
    }
    for (const callback of [...waiting]) callback(error);
    return error;
  };
  renew = (bytes) => {
    if (depth > 0 || trap !== undefined || waiting.size > 0 || exports.memory.buffer.byteLength <= bytes) return;
    try {
      replace();
    } catch {
      // No memory for another one: this one goes on.
    }
  };
  const guard = (call) => (...args) => {
    if (trap !== undefined && depth === 0 && !isEnding) throw end();
    depth += 1;
    try {
      return call(...args);
    } catch (thrown) {
      if (!isTrap(thrown)) throw thrown;
      trap ??= thrown;
      if (depth > 1 || isEnding) throw thrown;
    } finally {
      depth -= 1;
      // Also where JavaScript in between has caught it.
      if (trap !== undefined && depth === 0 && !isEnding) throw end();
    }
    return undefined;
  };
  const entries = Object.entries(exports).map(([name, it]) => [name, typeof it === 'function' ? guard(notInlined(it)) : it]);
  return Object.fromEntries(entries);
}

/**
 * A function of the module that V8 never makes a part of the JavaScript around it. Node 20's V8 ends the whole process
 * ("unreachable code" in the deoptimizer) when such a part returns an externref to code that it has thrown away meanwhile.
 * V8 does not look behind a proxy.
 */
function notInlined(call) {
  return new Proxy(call, {});
}

/** A stack that is full is no RuntimeError everywhere, and leaves the module's own stack as it happens to be, too. */
function isTrap(thrown) {
  const isFull = (thrown instanceof RangeError || thrown?.name === 'InternalError') && /stack|recursion/i.test(thrown.message);
  return thrown instanceof WebAssembly.RuntimeError || isFull;
}
