// A module that the package carries, in a file of its own that is imported when it is needed.

import compressed from '#wasm';

/** Its bytes. */
export function carriedModule(): Promise<ArrayBuffer> {
  const bytes = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(bytes).arrayBuffer();
}
