// The entry for programs that load the module themselves: `locket-wasm/locket.wasm` stays a file of its own, which need not be
// decoded from text and is compiled while it arrives.

import { initSync as instantiate } from '#glue';

import { LocketArgumentError } from './errors.js';

/** Where the module's bytes come from: its address, an answer of `fetch` with them, themselves, or what was compiled of them. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module. Nothing else of this entry may be used before; later calls change nothing.
 *
 * @example
 * ```ts
 * import url from 'locket-wasm/locket.wasm?url'; // Vite; elsewhere new URL('locket-wasm/locket.wasm', import.meta.url)
 * import { init, LocketServer } from 'locket-wasm/slim';
 *
 * await init(url);
 * const server = new LocketServer();
 * ```
 */
export async function init(source: ModuleSource | Promise<ModuleSource>): Promise<void> {
  const given: unknown = await source;
  if (typeof given === 'string' || given instanceof URL) return initSync(await compiled(await fetch(given)));
  if (given instanceof Response) return initSync(await compiled(given));
  if (given instanceof WebAssembly.Module) return initSync(given);
  if (!isBytes(given)) throw new LocketArgumentError('source', EXPECTED);
  initSync(await WebAssembly.compile(given));
}

/** Loads the module at once: what was compiled, as worker runtimes import it, or bytes. Pages may refuse to compile many bytes at once. */
export function initSync(module: BufferSource | WebAssembly.Module): void {
  if (!(module instanceof WebAssembly.Module) && !isBytes(module)) throw new LocketArgumentError('module', EXPECTED);
  instantiate({ module });
}

const EXPECTED = 'expected the module locket.wasm: its bytes, or what was compiled of them';

function isBytes(value: unknown): value is BufferSource {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

async function compiled(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.url} is answered with ${response.status}, not with the module locket.wasm`);
  // Platforms refuse to compile what arrives under another type, which some servers give it.
  const streams = response.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export * from './index.js';
