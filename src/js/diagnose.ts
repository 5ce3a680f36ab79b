// From real logs to an explanation: which client held which lock, which client believed it, and
// why. This entry has no WebAssembly module, so a page that only reads logs stays small.

import { type Duration, someMs } from './base/duration.js';
import { abortSignal, callback, checkedOptions, optional, texts, whole } from './base/options.js';
import { Judgement } from './diagnose/diagnosis.js';
import type { Diagnosis } from './diagnose/model.js';
import { checkedSources, type LogSource } from './diagnose/source.js';
import { pausesOf } from './diagnose/turn.js';
import { Windows } from './diagnose/windows.js';

export * from './diagnose/model.js';
export { type Reproduction, reproductionOf } from './diagnose/scenario.js';
export { type Replay, replayOf, type RunnerSettings } from './diagnose/settings.js';
export { diagnosisText, type ReportOptions } from './diagnose/report.js';
export type { LogSource } from './diagnose/source.js';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** The TTL of keys whose TTL no log line shows. */
  ttl?: Duration;
  /** Keys that some line should be about: `limits` names those that none is about. */
  expect?: readonly string[];
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How many bytes all sources have, if that is known: then progress says how long the rest takes. */
  totalBytes?: number;
  /**
   * Called now and then while logs are read, with the bytes and lines read so far; bytes are those before gzipped data is unpacked.
   * `leftMs` is how long the rest takes if it goes on like this, once that shows.
   */
  onProgress?: (progress: { bytes: number; lines: number; leftMs: number | undefined }) => void;
}

const OPTIONS = { ttl: optional(someMs), expect: optional(texts), signal: abortSignal, totalBytes: optional(whole(0, Number.MAX_SAFE_INTEGER)), onProgress: callback };
/** In less time nothing shows how fast it goes. */
const SURE_MS = 1_000;

/**
 * Reads logs of Locket and its clients, and reports what they show: two owners, gaps without an
 * owner, lost locks and their causes. Each finding cites its log lines.
 * Sources may come in any order; lines of other components, broken lines and gzipped data are fine.
 * Memory does not grow with the logs, and the event loop stays responsive.
 *
 * @example
 * ```ts
 * const { summary, findings } = await diagnose([
 *   { name: 'locket.log', data: await readFile('locket.log') },
 *   { name: 'bbs-0.log', data: createReadStream('bbs-0.log') },
 * ]);
 * ```
 *
 * @throws {@link LocketArgumentError} if an argument is invalid; the content of a log never throws
 */
export async function diagnose(sources: Iterable<LogSource>, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const checked = checkedSources(sources);
  const { ttl: ttlMs, expect = [], signal, totalBytes } = checkedOptions(options, OPTIONS);
  const { onProgress } = options;
  signal?.throwIfAborted();
  let bytes = 0;
  const begunMs = performance.now();
  const pause = pausesOf(() => onProgress?.({ bytes, lines: windows.lines, leftMs: leftMs(performance.now() - begunMs, bytes, totalBytes) }));
  const windows = new Windows(checked, {
    ttlMs,
    onBytes: (count) => (bytes += count),
    pause: () => pause().then(() => signal?.throwIfAborted()),
  });
  const judgement = new Judgement();
  for await (const window of windows.read()) windows.reference = judgement.take(window);
  return judgement.diagnosis(windows.readers.map(({ summary }) => summary), expect);
}

function leftMs(tookMs: number, bytes: number, total: number | undefined): number | undefined {
  return total === undefined || bytes === 0 || tookMs < SURE_MS ? undefined : (tookMs * Math.max(0, total - bytes)) / bytes;
}
