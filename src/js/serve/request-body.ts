// Takes a request's body in, up to a size and a time.

import type { Readable } from 'node:stream';

import type { Share } from './held.js';

/** A 4 MiB message, gRPC's limit, and the 5 bytes before it. */
const FRAME_SIZE_MAX = 5 + 4 * 1024 * 1024;

/**
 * The body, or what came instead of its end: `gone` when the client went away, `late` when time was up, `full` when the
 * server had no room for it.
 *
 * Reads a body that is larger than any message may be only until it is recognised. The caller drains or
 * refuses the rest.
 */
export type Received = { bytes: Uint8Array; isWhole: boolean } | 'gone' | 'late' | 'full';

/** Takes in the body of a request; as base64 it is a third larger. */
export function receiveBody(source: Readable, isText: boolean, timeoutMs: number, share: Share): Promise<Received> {
  const sizeMax = isText ? Math.ceil(FRAME_SIZE_MAX / 3) * 4 : FRAME_SIZE_MAX;
  // One buffer: a list of pieces of one byte would hold a hundred times as much.
  let body = Buffer.alloc(0);
  let size = 0;
  return new Promise((resolve) => {
    const settle = (received: Received): void => {
      clearTimeout(timer);
      source.off('data', take);
      resolve(received);
      // Its share may end before its sender stops.
      body = Buffer.alloc(0);
    };
    const take = (chunk: Buffer): void => {
      const needed = Math.min(size + chunk.length, sizeMax);
      if (needed > body.length) {
        const length = Math.min(Math.max(needed, 2 * body.length), sizeMax);
        if (!share.take(length - body.length)) return settle('full');
        const larger = Buffer.allocUnsafe(length);
        body.copy(larger, 0, 0, size);
        body = larger;
      }
      const isTooLarge = size + chunk.length > sizeMax;
      size += chunk.copy(body, size);
      if (isTooLarge) settle({ bytes: body.subarray(0, size), isWhole: false });
    };
    const timer = setTimeout(() => settle('late'), timeoutMs);
    source.on('data', take);
    source.once('end', () => settle({ bytes: body.subarray(0, size), isWhole: true }));
    source.once('close', () => settle('gone'));
  });
}
