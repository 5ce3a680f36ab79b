// The package's own module, in a file of its own that is imported at first use.

import compressed from '#wasm';

/** The module's bytes, gzipped. */
export const gzipped: Uint8Array = compressed;

/** The module's bytes. */
export function carriedModule(): Promise<ArrayBuffer> {
  const bytes = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(bytes).arrayBuffer();
}
