// The base64 of gRPC-Web's text mode: one encoding after another, each padded for itself.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** What is no character of the alphabet, and what of that has a meaning. */
const NONE = 64;
const PAD = 65;
const LINE_END = 66;
/** By byte: the six bits that it stands for. */
const SEXTETS = new Uint8Array(256).fill(NONE);
for (let sextet = 0; sextet < NONE; sextet += 1) SEXTETS[ALPHABET.charCodeAt(sextet)] = sextet;
SEXTETS['='.charCodeAt(0)] = PAD;
for (const end of '\r\n') SEXTETS[end.charCodeAt(0)] = LINE_END;

/**
 * The bytes; `undefined` if the text is not base64. Padding may be missing at the very end. A server decides what the text
 * is, so this is one pass over it, whatever it is.
 */
export function decodeText(body) {
  const bytes = new Uint8Array(Math.ceil(body.length / 4) * 3);
  const lastGroup = body.length - 4;
  let size = 0;
  // The group of four that is being read.
  let bits = 0;
  let sextets = 0;
  let pads = 0;
  for (let index = 0; index < body.length; index += 1) {
    const sextet = SEXTETS[body[index]];
    if (sextet === LINE_END) continue;
    if (sextet < NONE) {
      if (pads > 0) return undefined;
      // Four characters of the alphabet at once: nearly all that there is, and much faster than one after another.
      if (sextets === 0 && index <= lastGroup) {
        const second = SEXTETS[body[index + 1]];
        const third = SEXTETS[body[index + 2]];
        const fourth = SEXTETS[body[index + 3]];
        if ((second | third | fourth) < NONE) {
          bytes[size] = (sextet << 2) | (second >> 4);
          bytes[size + 1] = (second << 4) | (third >> 2);
          bytes[size + 2] = (third << 6) | fourth;
          size += 3;
          index += 3;
          continue;
        }
      }
      bits = (bits << 6) | sextet;
      sextets += 1;
    } else {
      if (sextet !== PAD || sextets < 2) return undefined;
      pads += 1;
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
