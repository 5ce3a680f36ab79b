// The entry `locket-wasm/serve` outside of Node: a page cannot listen on a port, and the first use says what to take instead.

export function serve(): never {
  throw new Error('serve needs Node.js: a page cannot listen on a port. Answer requests with server.fetch of a LocketServer, or run locket-wasm serve');
}
