// From real logs to an explanation: who held what, who believed what, and why. An entry of its own, without the module, so that a
// page or a script that only reads logs carries nothing else.

import { type Duration, lengthMs } from './base/duration.js';
import { LocketArgumentError } from './base/errors.js';
import { Judgement } from './diagnose/diagnosis.js';
import type { Diagnosis } from './diagnose/model.js';
import { checkedSources, type LogSource } from './diagnose/source.js';
import { nextTurn } from './diagnose/turn.js';
import { Windows } from './diagnose/windows.js';

export * from './diagnose/model.js';
export { type Reproduction, reproductionOf } from './diagnose/scenario.js';
export { goesWrong, outcomeWords, type RunnerSettings, scenarioWith } from './diagnose/settings.js';
export { diagnosisText, findingTime, type ReportOptions } from './diagnose/report.js';
export type { LogSource } from './diagnose/source.js';
export { diagnosisSvg } from './diagnose/svg.js';
export { type DiagnosisView, diagnosisView } from './diagnose/view.js';
export { printable } from './base/text.js';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** The TTL of keys of which no line says it. */
  ttl?: Duration;
  /** Ends the work; what was promised is rejected with its reason. */
  signal?: AbortSignal | undefined;
  /** Called while logs are read, with the bytes that were. */
  onProgress?: (progress: { bytes: number }) => void;
}

const OPTIONS = new Set(['ttl', 'signal', 'onProgress']);

/**
 * Reads logs of Locket and of its clients, and dumps of the `locks` table, and says what they show: two owners, nobody holding,
 * what was lost and why, each with the lines that show it. Order does not matter; lines of other components, broken lines and
 * gzipped data are taken. Memory does not grow with the logs, and everything else has its turn meanwhile.
 *
 * @example
 * ```ts
 * const { summary, findings } = await diagnose([
 *   { name: 'locket.log', data: await readFile('locket.log') },
 *   { name: 'bbs-0.log', data: createReadStream('bbs-0.log') },
 * ]);
 * ```
 *
 * @throws {@link LocketArgumentError} if an argument cannot be taken; whatever stands in the logs is no reason
 */
export async function diagnose(sources: Iterable<LogSource>, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const checked = checkedSources(sources);
  const { ttl, signal, onProgress } = checkedOptions(options);
  signal?.throwIfAborted();
  let bytes = 0;
  const windows = new Windows(checked, {
    ttlMs: ttl === undefined ? undefined : lengthMs('ttl', ttl),
    onBytes: (count) => (bytes += count),
    pause: async () => {
      onProgress?.({ bytes });
      await nextTurn();
      signal?.throwIfAborted();
    },
  });
  const judgement = new Judgement();
  for await (const window of windows.read()) judgement.take(window);
  const table = windows.readers.flatMap(({ dump }) => dump?.rows ?? []);
  return judgement.diagnosis(
    windows.readers.map(({ summary }) => summary),
    table,
  );
}

function checkedOptions(options: DiagnoseOptions): DiagnoseOptions {
  if (typeof options !== 'object' || options === null) throw new LocketArgumentError('options', 'expected an object');
  for (const name of Object.keys(options)) {
    if (!OPTIONS.has(name)) throw new LocketArgumentError(`options.${name}`, `there is no such option; there are ${[...OPTIONS].join(', ')}`);
  }
  const { ttl, signal, onProgress } = options;
  if (ttl !== undefined && lengthMs('ttl', ttl) === 0) throw new LocketArgumentError('ttl', 'expected more than 0s');
  if (onProgress !== undefined && typeof onProgress !== 'function') throw new LocketArgumentError('onProgress', 'expected a function');
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new LocketArgumentError('signal', 'expected an AbortSignal');
  return options;
}
