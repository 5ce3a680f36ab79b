// Loading the module before its first use.

import { initSync as instantiate, isModuleLoaded, loadModule } from '#glue';

import { LocketArgumentError } from './errors.js';
import { loadingFailed } from './wasm.js';

/**
 * Where the module comes from: its address, a `fetch` response, its bytes, or the compiled module. The last, a
 * `WebAssembly.Module`, is an `object` here: TypeScript knows that name only with a browser's library.
 */
export type ModuleSource = string | URL | Response | ArrayBuffer | ArrayBufferView | object;

let carried: (() => Promise<ModuleSource>) | undefined;
let loading: Promise<void> | undefined;

/** Sets the default source of the module, for entries that cannot read it synchronously. */
export function carryModule(module: () => Promise<ModuleSource>): void {
  carried = module;
}

/**
 * Loads the WebAssembly module of this entry. Calls that return a promise load it themselves.
 * Synchronous calls, such as `new LocketServer()`, need it loaded: Node, Deno and Bun load it then;
 * a page or a Worker awaits `init()` once.
 *
 * Without `source`, the package's own module is loaded. With the address of its file
 * (`locket-wasm/simulator.wasm` and so on), the browser compiles it while it downloads. Further
 * calls have no effect.
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
 * `not-loaded` if the module does not arrive or is not valid
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  loading ??= load(source).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Loads the module if it is not loaded yet; for calls that return a promise. */
export function moduleReady(): Promise<void> | undefined {
  return carried === undefined || isModuleLoaded() ? undefined : init();
}

async function load(source: ModuleSource | Promise<ModuleSource> | undefined): Promise<void> {
  if (isModuleLoaded()) return;
  if (source === undefined && carried === undefined) return loadModule();
  const given: unknown = await (source ?? carried?.());
  if (!isSource(given)) throw new LocketArgumentError('source', 'expected the module: its address, its bytes, or a WebAssembly.Module');
  try {
    instantiate({ module: await compiled(given) });
  } catch (thrown) {
    throw loadingFailed(thrown);
  }
}

/** The valid values of a {@link ModuleSource}. */
type CheckedSource = string | URL | Response | BufferSource | WebAssembly.Module;

function isSource(value: unknown): value is CheckedSource {
  const isAddress = typeof value === 'string' || value instanceof URL;
  return isAddress || value instanceof Response || value instanceof WebAssembly.Module || isBytes(value);
}

function isBytes(value: unknown): value is BufferSource {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

async function compiled(source: CheckedSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (isBytes(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url} answered with status ${response.status}`);
  // Platforms refuse to stream another content type, which some servers send.
  const streams = response.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
