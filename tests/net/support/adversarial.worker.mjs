// A client in a thread of its own, which can be ended while it is busy: reads each answer that it is sent, and says with
// which code the call failed.

import { parentPort } from 'node:worker_threads';

import { LocketClient } from 'locket-wasm';

import { trailers as frameOf } from './frames.mjs';

parentPort.on('message', async ({ contentType, body, trailers }) => {
  const bytes = trailers === undefined ? Uint8Array.from(body, (character) => character.charCodeAt(0)) : frameOf(trailers);
  const fetch = async () => new Response(bytes, { headers: { 'content-type': contentType } });
  const error = await new LocketClient({ baseUrl: 'http://locket.test', fetch }).fetch('k').catch((thrown) => thrown);
  parentPort.postMessage(error.code);
});
