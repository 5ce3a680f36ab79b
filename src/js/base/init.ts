// Loading the module before its first use.

import { initSync as instantiate, isModuleLoaded, loadModule } from '#glue';

import { LocketArgumentError } from './errors.js';
import { loadingFailed } from './wasm.js';

/**
 * Where the module comes from: its address, an answer of `fetch` with it, its bytes, or the `WebAssembly.Module` that was
 * compiled of them. That one is an `object` here: TypeScript knows its name only where it knows a browser's.
 */
export type ModuleSource = string | URL | Response | ArrayBuffer | ArrayBufferView | object;

let carried: (() => Promise<ModuleSource>) | undefined;
let loading: Promise<void> | undefined;

/** Says where the module comes from if a program does not: for entries that cannot read it at once. */
export function carryModule(module: () => Promise<ModuleSource>): void {
  carried = module;
}

/**
 * Loads the WebAssembly module of this entry. Calls that return a promise load it themselves. What answers at once, such as
 * `new LocketServer()`, needs it before: Node, Deno and Bun load it then, and a page or a Worker awaits `init()` once.
 *
 * Without `source` the module is the one that the package carries. With the address of its file (`locket-wasm/simulator.wasm`
 * and so on) the browser compiles it while it arrives. Once it is loaded, later calls change nothing.
 *
 * @example
 * ```ts
 * import { init, LocketServer } from 'locket-wasm';
 *
 * await init();
 * const server = new LocketServer();
 * ```
 *
 * @throws {@link ModuleError} `csp` if the page's Content-Security-Policy forbids WebAssembly, `not-loaded` if the module does not
 * arrive or is none
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  loading ??= load(source).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Loads the module if it has to be awaited; for calls that return a promise. */
export function moduleReady(): Promise<void> | undefined {
  return carried === undefined || isModuleLoaded() ? undefined : init();
}

async function load(source: ModuleSource | Promise<ModuleSource> | undefined): Promise<void> {
  if (isModuleLoaded()) return;
  if (source === undefined && carried === undefined) return loadModule();
  const given: unknown = await (source ?? carried?.());
  if (!isSource(given)) throw new LocketArgumentError('source', 'expected the module: its address, its bytes, or what was compiled of them');
  try {
    instantiate({ module: await compiled(given) });
  } catch (thrown) {
    throw loadingFailed(thrown);
  }
}

/** What a {@link ModuleSource} has to be. */
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
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
  // Platforms refuse to compile what arrives under another type, which some servers give it.
  const streams = response.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
