// gRPC-Web bodies, right and wrong, made by hand: nothing of the package is used to test the package.

/** A frame: flag byte, length, payload. `size` overrides the length it says it has. */
export function frame(flags, payload, size = payload.length) {
  const bytes = new Uint8Array(5 + payload.length);
  bytes[0] = flags;
  new DataView(bytes.buffer).setUint32(1, size);
  bytes.set(payload, 5);
  return bytes;
}

/** A frame of trailers. */
export const trailers = (text, flags = 0x80) => frame(flags, utf8(text));

/** A message: the resource `{key: 'k', owner: 'o', value: 'v', type: 'lock', typeCode: 1}` of a FetchResponse. */
export const RESOURCE = Uint8Array.of(10, 17, 10, 1, 107, 18, 1, 111, 26, 1, 118, 34, 4, ...utf8('lock'), 40, 1);

/** A whole, good answer to Fetch. */
export const GOOD = join(frame(0, RESOURCE), trailers('grpc-status: 0\r\n'));

export function join(...parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

export function utf8(text) {
  return new TextEncoder().encode(text);
}

/** Base64, as text mode sends it. */
export function base64(bytes) {
  return utf8(btoa(String.fromCharCode(...bytes)));
}
