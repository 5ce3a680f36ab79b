// Loading the modules of the main entry.

import { glue as messagesGlue } from '#messages';

import { init as initOwn, loadModule, type ModuleSource } from '../base/init.js';

/**
 * Loads the WebAssembly module of servers and simulations. Calls that return a promise load it
 * themselves. Synchronous calls, such as `new LocketServer()`, need it loaded: Node, Deno and Bun
 * load it then; a page or a Worker awaits `init()` once.
 *
 * Without `source`, the package's own module is loaded. With the address of its file,
 * `locket-wasm/simulator.wasm`, the browser compiles it while it downloads. Further calls have no
 * effect.
 *
 * A second module, `locket-wasm/messages.wasm`, has the messages of calls over a network and of
 * {@link LocketServer.fetch}. It is loaded at the first of them. With `messages`, it is loaded now
 * from there: in a service worker, which imports nothing later, and where no bytes may be compiled.
 *
 * @example
 * ```ts
 * import { init, LocketServer } from 'locket-wasm';
 *
 * await init();
 * const server = new LocketServer();
 * ```
 *
 * @throws {@link ModuleError} `csp` if the page's Content-Security-Policy forbids WebAssembly,
 * `not-loaded` if a module does not arrive or is not valid
 */
export async function init(source?: ModuleSource | Promise<ModuleSource>, messages?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  const own = initOwn(source);
  await (messages === undefined ? own : Promise.all([own, loadModule(messagesGlue, messages, 'messages')]));
}
