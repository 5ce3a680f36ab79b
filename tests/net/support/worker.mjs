// A worker, dedicated or service, that runs wire cases and answers through the port it is sent.

import * as locket from '/files/pkg/dist/web.js';

import { runCases } from './judge.mjs';
import { ODD_CASES } from './wire_cases.mjs';

globalThis.onmessage = async ({ ports: [port] }) => {
  // A service worker imports nothing later; others load the messages themselves.
  const isService = 'ServiceWorkerGlobalScope' in globalThis;
  await locket.init('/files/pkg/dist/simulator.wasm', isService ? '/files/pkg/dist/messages.wasm' : undefined);
  const quick = ODD_CASES.filter(({ endless, timeout }) => !endless && timeout === undefined);
  port.postMessage(await runCases(locket, globalThis.location.origin, quick));
};
