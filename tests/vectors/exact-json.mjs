// JSON in which large whole numbers keep their digits: those beyond 2^53 become bigints.

import { parse } from 'lossless-json';

/** Parses a JSON text. Throws a SyntaxError, as `JSON.parse` does. */
export function parseExactly(text) {
  return parse(text, undefined, { parseNumber: (digits) => (isLarge(digits) ? BigInt(digits) : Number(digits)) });
}

function isLarge(digits) {
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits));
}
