// The frames of gRPC-Web and of gRPC: a flag byte, four bytes of length, and as many bytes. Only gRPC-Web has one of trailers.

const HEADER_SIZE = 5;
const COMPRESSED = 0x01;
const TRAILERS = 0x80;

/**
 * Splits a body: its first message and how many there are, the frame of trailers if there is one, and what is wrong with
 * it if something is. Messages are counted, not kept: a body may consist of a million empty ones.
 */
export function readFrames(body, mayHaveTrailers) {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  let message;
  let messages = 0;
  const fault = (text) => ({ message, messages, trailerFrame: undefined, fault: text });
  for (let offset = 0; offset < body.length; ) {
    const flags = body[offset];
    const start = offset + HEADER_SIZE;
    if (start > body.length) return fault('the answer ends in the head of a frame');
    offset = start + view.getUint32(start - 4);
    if (offset > body.length) return fault(`the answer ends ${offset - body.length} bytes before its end`);
    // None was offered, so none may be used.
    if (flags & COMPRESSED) return fault('the answer is compressed, which was not asked for');
    if (flags & ~(mayHaveTrailers ? TRAILERS : 0)) return fault(`a frame has the unknown flags 0x${flags.toString(16)}`);
    if (flags === TRAILERS) {
      if (offset < body.length) return fault('the answer goes on after its trailers');
      return { message, messages, trailerFrame: body.subarray(start, offset), fault: undefined };
    }
    message ??= body.subarray(start, offset);
    messages += 1;
  }
  return { message, messages, trailerFrame: undefined, fault: undefined };
}

/** The size that the frame at the beginning says it has; `undefined` if its head is not whole. */
export function frameSize(body) {
  if (body.length < HEADER_SIZE) return undefined;
  return new DataView(body.buffer, body.byteOffset).getUint32(1);
}
