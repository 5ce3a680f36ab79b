// Loading a module before its first use.

import { glue as own } from '#glue';

import { LocketArgumentError, ModuleError } from './errors.js';
import type { Glue } from './glue.js';
import { loadingFailed, setErrors } from './wasm.js';

/**
 * Where the module comes from: its address, a `fetch` response, its bytes, or the compiled module. The last, a
 * `WebAssembly.Module`, is an `object` here: TypeScript knows that name only with a browser's library.
 */
export type ModuleSource = string | URL | Response | ArrayBuffer | ArrayBufferView | object;

/** The default source of each module that an entry cannot read synchronously. */
const carried = new Map<Glue, () => Promise<ModuleSource>>();
const loading = new Map<Glue, Promise<void>>();

/** Says where a module is read from at its first use. */
export function readModule(glue: Glue, read: () => object): void {
  setErrors(glue);
  glue.setSource(read);
}

/** The same for entries that cannot read it synchronously. */
export function carryModule(glue: Glue, module: () => Promise<ModuleSource>): void {
  carried.set(glue, module);
  readModule(glue, () => {
    throw new ModuleError('not-loaded', 'the WebAssembly module is not loaded yet; await init() before this call');
  });
}

/**
 * Loads the WebAssembly module of this entry. Calls that return a promise load it themselves.
 * Synchronous calls need it loaded: Node, Deno and Bun load it then; a page or a Worker awaits
 * `init()` once.
 *
 * Without `source`, the package's own module is loaded. With the address of its file
 * (`locket-wasm/client.wasm`, `locket-wasm/checker.wasm`), the browser compiles it while it downloads. Further
 * calls have no effect.
 *
 * @example
 * ```ts
 * import { init } from 'locket-wasm/client';
 *
 * await init();
 * ```
 *
 * @throws {@link ModuleError} `csp` if the page's Content-Security-Policy forbids WebAssembly,
 * `not-loaded` if the module does not arrive or is not valid
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  return loadModule(own, source);
}

/** Loads a module from the argument `field`; further calls have no effect. */
export function loadModule(glue: Glue, source?: ModuleSource | Promise<ModuleSource>, field = 'source'): Promise<void> {
  let promise = loading.get(glue);
  if (promise === undefined) {
    promise = load(glue, source, field).catch((error: unknown) => {
      loading.delete(glue);
      throw error;
    });
    loading.set(glue, promise);
  }
  return promise;
}

/** Loads a module, by default the entry's own, if it is not loaded yet; for calls that return a promise. */
export function moduleReady(glue: Glue = own): Promise<void> | undefined {
  return glue.isLoaded() || !carried.has(glue) ? undefined : loadModule(glue);
}

async function load(glue: Glue, source: ModuleSource | Promise<ModuleSource> | undefined, field: string): Promise<void> {
  if (glue.isLoaded()) return;
  const carrier = carried.get(glue);
  if (source === undefined && carrier === undefined) return glue.load();
  const given: unknown = await (source ?? carrier?.());
  if (!isSource(given)) throw new LocketArgumentError(field, 'expected the module: its address, its bytes, or a WebAssembly.Module');
  try {
    glue.instantiate(await compiled(given));
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
