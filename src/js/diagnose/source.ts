// The sources of logs: texts, bytes, files of a browser and streams, gzipped or plain. Knows nothing of their content.

import { kindOf } from '../base/checks.js';
import { LocketArgumentError } from '../base/errors.js';

/** A log, and where it comes from. */
export interface LogSource {
  /** The file's name, with which findings point at its lines. Each process should have a file of its own. */
  name: string;
  /** Its content; gzipped data is unpacked. */
  data: string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Checks what callers pass in. */
export function checkedSources(sources: Iterable<LogSource>): LogSource[] {
  if (typeof sources !== 'object' || sources === null || !(Symbol.iterator in sources)) {
    throw new LocketArgumentError('sources', `expected a list of { name, data }, not ${kindOf(sources)}`);
  }
  return Array.from(sources, (source, index) => {
    const field = `sources[${index}]`;
    if (typeof source !== 'object' || source === null) throw new LocketArgumentError(field, `expected { name, data }, not ${kindOf(source)}`);
    if (typeof source.name !== 'string') throw new LocketArgumentError(`${field}.name`, 'expected a string');
    if (!isReadable(source.data)) {
      throw new LocketArgumentError(`${field}.data`, `expected a string, a Uint8Array, a Blob, or a stream of Uint8Arrays, not ${kindOf(source.data)}`);
    }
    return source;
  });
}

function isReadable(data: unknown): data is LogSource['data'] {
  if (typeof data === 'string' || data instanceof Uint8Array || data instanceof Blob) return true;
  return typeof data === 'object' && data !== null && ('getReader' in data || Symbol.asyncIterator in data);
}

/** The bytes of a source, unpacked. `onBytes` hears how many were read, before they are unpacked. */
export async function* bytesOf({ data }: LogSource, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  const chunks = counted(chunksOf(data), onBytes);
  const first = await chunks.next();
  if (first.done) return;
  const all = continued(first.value, chunks);
  // The two bytes with which every gzip file begins.
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) yield* all;
  else yield* readerChunks(streamOf(all).pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>));
}

function chunksOf(data: LogSource['data']): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof data === 'string') return [new TextEncoder().encode(data)];
  if (data instanceof Uint8Array) return [data];
  if (data instanceof Blob) return readerChunks(data.stream());
  return 'getReader' in data ? readerChunks(data) : data;
}

/** Not every browser's streams can be iterated. */
async function* readerChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Few lines are read at once, so that the engine gives back their memory soon: 64 KiB took a tenth more. */
const PIECE = 16_384;

async function* counted(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new LocketArgumentError('data', 'expected a stream of Uint8Arrays');
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE);
      onBytes(piece.length);
      yield piece;
    }
  }
}

async function* continued(first: Uint8Array, others: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* others;
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
