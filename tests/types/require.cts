// The same types for CommonJS.

import locket = require('locket-wasm');

function expired(server: locket.LocketServer): number {
  server.clock.advance('15s');
  // @ts-expect-error a duration is no object
  server.clock.advance({});
  return server.stats().locksExpired;
}

export = expired;
