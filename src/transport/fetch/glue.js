// Replacements of globals in the npm package's glue; src/js/build.mjs puts them there.
//
// Tests replace globals, and must not reach in here: a task queue whose `queueMicrotask` is a fake one never runs again,
// not even after the test removes the fake.

import { bindGlue } from './hook.js';

export { glueFetch } from './hook.js';

bindGlue();

const settled = Promise.resolve();

/** Runs `task` when the current one is done. No fake can stand for a promise. */
export function glueQueueMicrotask(task) {
  settled.then(task);
}

/** The crate aborts it whenever a call is over. No call is dropped before its end, and a real controller would be slow. */
export class GlueAbortController {
  signal = undefined;

  abort() {}
}

/** The headers that the crate sets. A real `Headers` is slower to make, and is made later anyway. */
export class GlueHeaders {
  record = {};

  append(name, value) {
    this.record[name.toLowerCase()] = value;
  }

  set(name, value) {
    this.record[name.toLowerCase()] = value;
  }
}

/** The request that the crate makes: `fetch`'s two arguments. So a user's `fetch` is called as users call theirs. */
export class GlueRequest {
  constructor(url, init) {
    this.url = url;
    this.init = { method: init.method, headers: init.headers.record, body: init.body };
  }
}
