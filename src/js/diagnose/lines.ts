// Splits bytes into lines, in batches, with constant memory.

/** Lines that follow each other. */
export interface LineBatch {
  lines: string[];
  /** The number of the first, from 1. */
  firstNumber: number;
}

/** Longer lines are no lines of a log: their beginning is kept, so that they count as broken. */
const LINE_MAX = 1_048_576;
/** In UTF-8, no byte of another character. */
const NEWLINE = 0x0a;

/** The lines of a file. */
export async function* lineBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBatch> {
  // A decoder of Node's that keeps its state between pieces gives texts of twice the size: such is only that of torn lines.
  const [whole, later] = [new TextDecoder('utf-8', MARKED), new TextDecoder('utf-8', MARKED)];
  let torn = new TextDecoder();
  let rest = '';
  let firstNumber = 1;
  for await (const chunk of inUtf8(chunks)) {
    const [begin, end] = [chunk.indexOf(NEWLINE), chunk.lastIndexOf(NEWLINE)];
    if (begin < 0) {
      const text = torn.decode(chunk, STREAM);
      if (rest.length < LINE_MAX) rest += text;
      continue;
    }
    const first = rest + torn.decode(chunk.subarray(0, begin));
    torn = later;
    const lines = begin < end ? [first, ...whole.decode(chunk.subarray(begin + 1, end)).split('\n')] : [first];
    rest = torn.decode(chunk.subarray(end + 1), STREAM);
    yield { lines, firstNumber };
    firstNumber += lines.length;
  }
  rest += torn.decode();
  if (rest !== '') yield { lines: [rest], firstNumber };
}

const STREAM = { stream: true };
/** A mark inside a file, of one that was put behind another, stays wherever a piece ends. */
const MARKED = { ignoreBOM: true };

/** The bytes of a text in UTF-8. */
async function* inUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null | undefined;
  for await (const chunk of chunks) {
    if (decoder === undefined) decoder = wideDecoder(chunk);
    yield decoder === null ? chunk : new TextEncoder().encode(decoder.decode(chunk, STREAM));
  }
}

/** By the mark at the beginning, or by the zero beside the first character of a line of JSON; `null` for UTF-8. */
function wideDecoder([first, second]: Uint8Array): TextDecoder | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return new TextDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && (second ?? 0) !== 0)) return new TextDecoder('utf-16be');
  return null;
}
