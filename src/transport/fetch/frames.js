// gRPC-Web's frames: a flag byte, four bytes of length, and as many bytes.

const HEADER_SIZE = 5;
const COMPRESSED = 0x01;
const TRAILERS = 0x80;

/** Splits a body: the messages, the frame of trailers if there is one, and what is wrong with it if something is. */
export function readFrames(body) {
  const messages = [];
  const fault = (text) => ({ messages, trailerFrame: undefined, fault: text });
  for (let offset = 0; offset < body.length; ) {
    const flags = body[offset];
    const size = frameSize(body.subarray(offset));
    if (size === undefined) return fault('the answer ends in the head of a frame');
    const start = offset + HEADER_SIZE;
    offset = start + size;
    if (offset > body.length) return fault(`the answer ends ${offset - body.length} bytes before its end`);
    // None was offered, so none may be used.
    if (flags & COMPRESSED) return fault('the answer is compressed, which was not asked for');
    if (flags & ~TRAILERS) return fault(`a frame has the unknown flags 0x${flags.toString(16)}`);
    const payload = body.subarray(start, offset);
    if (flags === 0) messages.push(payload);
    else if (offset === body.length) return { messages, trailerFrame: payload, fault: undefined };
    else return fault('the answer goes on after its trailers');
  }
  return { messages, trailerFrame: undefined, fault: undefined };
}

/** The size that the frame at the beginning says it has; `undefined` if its head is not whole. */
export function frameSize(body) {
  if (body.length < HEADER_SIZE) return undefined;
  return new DataView(body.buffer, body.byteOffset).getUint32(1);
}
