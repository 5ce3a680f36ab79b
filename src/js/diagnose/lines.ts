// Splits bytes into lines, in batches, with constant memory.

/** Lines that follow each other. */
export interface LineBatch {
  lines: string[];
  /** The number of the first, from 1. */
  firstNumber: number;
}

/** Longer lines are no lines of a log: their beginning is kept, so that they count as broken. */
const LINE_MAX = 1_048_576;

/** The lines of a file. */
export async function* lineBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBatch> {
  let decoder: TextDecoder | undefined;
  let rest = '';
  let firstNumber = 1;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const text = decoder.decode(chunk, { stream: true });
    if (!text.includes('\n')) {
      if (rest.length < LINE_MAX) rest += text;
      continue;
    }
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    yield { lines, firstNumber };
    firstNumber += lines.length;
  }
  const lines = (rest + (decoder?.decode() ?? '')).split('\n');
  if (lines.length > 1 || lines[0] !== '') yield { lines, firstNumber };
}

/** By the mark at the beginning, or by the zero beside the first character of a line of JSON. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)) return 'utf-16be';
  return 'utf-8';
}
