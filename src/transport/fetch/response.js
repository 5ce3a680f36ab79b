// An answer as the carrier crate takes it without fault: one message and one frame of trailers, whole, in one chunk.

import { OK } from './failure.js';

const HEADER_SIZE = 5;
const TRAILERS = 0x80;
const encoder = new TextEncoder();

/** What the crate uses of a `Response`; `keepMetadata` hands it the metadata and the outcome too, as headers. */
export function toResponse(answer, keepMetadata) {
  const status = encoder.encode(`grpc-status: ${answer.code}\r\ngrpc-message: ${percentEncode(answer.message)}\r\n`);
  const messageSize = answer.code === OK ? HEADER_SIZE + answer.data.length : 0;
  const body = new Uint8Array(messageSize + HEADER_SIZE + status.length);
  if (answer.code === OK) putFrame(body, 0, 0, answer.data);
  putFrame(body, messageSize, TRAILERS, status);
  const headers = [['content-type', 'application/grpc-web+proto']];
  if (keepMetadata) {
    headers.push(...Object.entries(answer.metadata).filter(([name, value]) => isHeader(name, value)));
    if (answer.outcome !== undefined) headers.push(['locket-wasm-outcome', answer.outcome]);
  }
  return { status: 200, headers, body: { getReader: () => new Reader(body) } };
}

/** What the crate uses of a stream's reader. Each read costs it a promise and closures, so there is one. */
class Reader {
  #body;

  constructor(body) {
    this.#body = body;
  }

  read() {
    const value = this.#body;
    this.#body = undefined;
    return Promise.resolve({ done: value === undefined, value });
  }

  cancel() {
    return Promise.resolve();
  }

  releaseLock() {}
}

function putFrame(body, offset, flags, payload) {
  body[offset] = flags;
  new DataView(body.buffer).setUint32(offset + 1, payload.length);
  body.set(payload, offset + HEADER_SIZE);
}

function percentEncode(message) {
  if (message === '') return '';
  // Half a surrogate pair has no encoding; the encoder replaces it.
  return encodeURIComponent(new TextDecoder().decode(encoder.encode(message)));
}

/** Whether the crate's HTTP types take it. */
function isHeader(name, value) {
  return /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\uffff]*$/.test(value);
}
