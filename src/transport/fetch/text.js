// The base64 of gRPC-Web's text mode: one encoding after another, each padded for itself.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NONE = 64;
/** By byte: the six bits that it stands for. */
const SEXTETS = new Uint8Array(256).fill(NONE);
for (let sextet = 0; sextet < NONE; sextet += 1) SEXTETS[ALPHABET.charCodeAt(sextet)] = sextet;

const [PAD, CR, LF] = ['=', '\r', '\n'].map((character) => character.charCodeAt(0));

/**
 * The bytes; `undefined` if the text is not base64. Padding may be missing at the very end. A server decides what the text
 * is, so this is one pass over it, whatever it is.
 */
export function decodeText(body) {
  const bytes = new Uint8Array(Math.ceil(body.length / 4) * 3);
  let size = 0;
  // The group of four that is being read.
  let bits = 0;
  let sextets = 0;
  let pads = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (SEXTETS[byte] !== NONE) {
      if (pads > 0) return undefined;
      bits = (bits << 6) | SEXTETS[byte];
      sextets += 1;
    } else if (byte === PAD) {
      if (sextets < 2) return undefined;
      pads += 1;
    } else {
      if (byte !== CR && byte !== LF) return undefined;
      continue;
    }
    if (sextets + pads < 4) continue;
    size = putGroup(bytes, size, bits, sextets);
    bits = sextets = pads = 0;
  }
  if (sextets === 1 || pads > 0) return undefined;
  return bytes.subarray(0, putGroup(bytes, size, bits, sextets));
}

/** Writes the bytes that are whole in so many sextets. Returns where the next ones go. */
function putGroup(bytes, offset, bits, sextets) {
  const whole = bits << (6 * (4 - sextets));
  for (let byte = 1; byte < sextets; byte += 1) bytes[offset + byte - 1] = whole >> (24 - 8 * byte);
  return offset + Math.max(sextets - 1, 0);
}
