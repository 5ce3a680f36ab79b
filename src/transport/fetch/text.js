// The base64 of gRPC-Web's text mode: one encoding after another, each padded for itself.

import { nextTask } from './timers.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The codes of characters outside the alphabet; two of them have a meaning. */
const NONE = 64;
const PAD = 65;
const LINE_END = 66;
/** By byte: the six bits that it stands for. */
const SEXTETS = new Uint8Array(256).fill(NONE);
for (let sextet = 0; sextet < NONE; sextet += 1) SEXTETS[ALPHABET.charCodeAt(sextet)] = sextet;
SEXTETS['='.charCodeAt(0)] = PAD;
for (const end of '\r\n') SEXTETS[end.charCodeAt(0)] = LINE_END;

/** How many characters are read at once: a few milliseconds' worth, after which everything else has its turn. */
const SLICE_SIZE = 128 * 1024;

/**
 * The bytes; `undefined` if the text is not base64. Padding may be missing at the very end. A server decides
 * the text and its length, so this is one pass over any text, and does not block other work for long.
 */
export async function decodeText(body) {
  const reader = new TextReader(body.length);
  for (let offset = 0; offset < body.length; offset += SLICE_SIZE) {
    if (offset > 0) await new Promise(nextTask);
    if (!reader.read(body.subarray(offset, offset + SLICE_SIZE))) return undefined;
  }
  return reader.end();
}

class TextReader {
  size = 0;
  // The group of four that is being read.
  bits = 0;
  sextets = 0;
  pads = 0;

  constructor(length) {
    this.bytes = new Uint8Array(Math.ceil(length / 4) * 3);
  }

  /** Reads on. Returns whether it is base64 so far. */
  read(text) {
    const { bytes } = this;
    let { size, bits, sextets, pads } = this;
    const lastGroup = text.length - 4;
    for (let index = 0; index < text.length; index += 1) {
      const sextet = SEXTETS[text[index]];
      if (sextet === LINE_END) continue;
      if (sextet < NONE) {
        if (pads > 0) return false;
        // Four characters of the alphabet at once: nearly all that there is, and much faster than one after another.
        if (sextets === 0 && index <= lastGroup) {
          const second = SEXTETS[text[index + 1]];
          const third = SEXTETS[text[index + 2]];
          const fourth = SEXTETS[text[index + 3]];
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
        if (sextet !== PAD || sextets < 2) return false;
        pads += 1;
      }
      if (sextets + pads < 4) continue;
      size = putGroup(bytes, size, bits, sextets);
      bits = sextets = pads = 0;
    }
    Object.assign(this, { size, bits, sextets, pads });
    return true;
  }

  /** All the bytes; `undefined` if the text ends where it must not. */
  end() {
    if (this.sextets === 1 || this.pads > 0) return undefined;
    return this.bytes.subarray(0, putGroup(this.bytes, this.size, this.bits, this.sextets));
  }
}

/** Writes the bytes that are whole in so many sextets. Returns where the next ones go. */
function putGroup(bytes, offset, bits, sextets) {
  const whole = bits << (6 * (4 - sextets));
  for (let byte = 1; byte < sextets; byte += 1) bytes[offset + byte - 1] = whole >> (24 - 8 * byte);
  return offset + Math.max(sextets - 1, 0);
}
