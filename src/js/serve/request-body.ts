// Takes a request's body in, up to a size and a time.

import type { Readable } from 'node:stream';

/** A 4 MiB message, gRPC's limit, and the 5 bytes before it. */
const FRAME_SIZE_MAX = 5 + 4 * 1024 * 1024;

/**
 * The body, or what came instead of its end: `gone` when the client went away, `late` when time was up.
 *
 * Of a body that is larger than any message may be, only as much is taken as it needs to be recognised; the rest is
 * left to the caller to drain or to refuse.
 */
export type Received = { bytes: Uint8Array; isWhole: boolean } | 'gone' | 'late';

/** Takes in the body of a request; as base64 it is a third larger. */
export function receiveBody(source: Readable, isText: boolean, timeoutMs: number): Promise<Received> {
  const sizeMax = isText ? Math.ceil(FRAME_SIZE_MAX / 3) * 4 : FRAME_SIZE_MAX;
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const settle = (received: Received): void => {
      clearTimeout(timer);
      source.off('data', take);
      resolve(received);
    };
    const take = (chunk: Uint8Array): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > sizeMax) settle({ bytes: Buffer.concat(chunks).subarray(0, sizeMax), isWhole: false });
    };
    const timer = setTimeout(() => settle('late'), timeoutMs);
    source.on('data', take);
    source.once('end', () => settle({ bytes: joined(chunks), isWhole: true }));
    source.once('close', () => settle('gone'));
  });
}

function joined(chunks: Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}
