// The same types for CommonJS.

import locket = require('locket-wasm');
import type types = require('locket-wasm/types');

function expired(server: locket.LocketServer): number {
  server.clock.advance('15s');
  // @ts-expect-error a duration is no object
  server.clock.advance({});
  return server.stats().locksExpired;
}

function frozen(client: types.TestClient): types.SimulationState | undefined {
  client.pause('20s');
  return undefined;
}

export = { expired, frozen };
