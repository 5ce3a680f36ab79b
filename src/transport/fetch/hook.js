// How the carrier crate's calls of `fetch` come to the exchange.
//
// The crate calls whatever `fetch` its JavaScript glue sees, in the first, synchronous part of a call. So the
// first poll of a call runs inside `withFetch`, which says whose `fetch` comes next. In the npm package the build binds
// the glue's `fetch` to `glueFetch`. In other programs `withFetch` replaces the global one for exactly that synchronous
// part, in which only the crate's code runs.

import { exchange } from './exchange.js';

/** The call whose `fetch` comes next. */
let current;
/** Whether the glue calls `glueFetch` by itself. */
let bound = false;

/**
 * Runs `poll`; the `fetch` that is called in it is that of `call`. Says whether one was. Throws, without polling, if the
 * global one cannot be replaced.
 */
export function withFetch(call, poll) {
  const restore = bound ? undefined : replaceGlobalFetch();
  current = call;
  try {
    poll();
    return current === undefined;
  } finally {
    current = undefined;
    restore?.();
  }
}

/** The `fetch` that the crate calls. */
export function glueFetch(request, init) {
  const call = current;
  current = undefined;
  if (call === undefined) return Promise.reject(new Error('bug in locket-wasm: a fetch of no call; please report it'));
  return exchange(call, request, init?.signal);
}

/** Says that the glue calls `glueFetch`, and no global needs to be touched. */
export function bindGlue() {
  bound = true;
}

function replaceGlobalFetch() {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'fetch');
  let replaced = true;
  const restore = () => {
    if (!replaced) return;
    replaced = false;
    if (original === undefined) delete globalThis.fetch;
    else Object.defineProperty(globalThis, 'fetch', original);
  };
  // The user's own `fetch` is called in there, and must be found.
  const value = (request, init) => (restore(), glueFetch(request, init));
  Object.defineProperty(globalThis, 'fetch', { configurable: true, enumerable: true, writable: true, value });
  return restore;
}
