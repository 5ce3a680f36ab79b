// JSON in which large whole numbers keep their digits: those beyond 2^53 become bigints.

/** Parses a JSON text. Throws a SyntaxError, as `JSON.parse` does. */
export function parseExactly(text) {
  // Only a text that is valid JSON is taken apart below, and marked with a key that it does not have.
  const keys = new Set();
  JSON.parse(text, (key, value) => (keys.add(key), value));
  let marker = 'bigint';
  while (keys.has(marker)) marker += '_';
  return JSON.parse(markLargeNumbers(text, marker), (_, value) => {
    const isMarked = typeof value === 'object' && value !== null && Object.hasOwn(value, marker);
    return isMarked ? BigInt(value[marker]) : value;
  });
}

function markLargeNumbers(text, marker) {
  const parts = [];
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start);
    const string = quote < 0 ? text.length : quote;
    parts.push(text.slice(start, string).replace(/-?\d[\d.eE+-]*/g, mark));
    const end = quote < 0 ? text.length : endOfString(text, quote);
    parts.push(text.slice(string, end));
    start = end;
  }
  return parts.join('');

  function mark(number) {
    const isLarge = /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number));
    return isLarge ? `{"${marker}":"${number}"}` : number;
  }
}

/** Behind the closing quote, which has an even number of backslashes before it. */
function endOfString(text, quote) {
  for (let end = text.indexOf('"', quote + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
}
