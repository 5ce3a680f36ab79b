// Whether healthy owners keep what they hold through events in operations.

import { WasmAvailability } from '#checker';

import { moduleReady } from '../base/init.js';
import { knownFields } from '../base/checks.js';
import { checkWaiting } from '../base/slices.js';
import type { AvailabilityCheck, AvailabilityEvent } from './advice-value.js';
import { aboutQuestion, type ExploreOptions } from './explore.js';
import { worked } from './long-work.js';
import { boundsOf, type Question, questionJson } from './question.js';
import { checkStates } from './states.js';

/** Options of {@link checkAvailability}. */
export interface AvailabilityOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with the event that is being asked about. */
  onProgress?: (progress: { event: AvailabilityEvent }) => void;
}

const OPTIONS = new Set(['maxStates', 'signal', 'onProgress']);
/** The members of a question that each check has of its own. */
const OF_CHECK = new Set<string>(['clients', 'grid', 'processes', 'property', 'latency', 'databaseLatency', 'transactionTime', 'faults']);

/** A check as the module writes it. */
type CheckJson = Omit<AvailabilityCheck, 'question'> & { clients: number; allowMs: number | null; faults: [name: string, value: string][] };

/**
 * Asks whether owners without a fault keep what they hold while Locket restarts, a deploy rolls, the database fails over, or it
 * stalls. Settings, latency and processes are those of the question, and so are its faults of Locket and the database.
 *
 * @example
 * ```ts
 * const checks = await checkAvailability({ runner: 'upstream', profile: 'upstream', latency: '1s' });
 * for (const { event, property, verdict } of checks) console.log(event, property, verdict);
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member
 */
export async function checkAvailability(question: Question, options: AvailabilityOptions = {}): Promise<AvailabilityCheck[]> {
  await moduleReady();
  knownFields('options', options, OPTIONS);
  const { signal, onProgress } = options;
  const statesMax = checkStates('of-events', options);
  checkWaiting(options);
  const json = questionJson(question);
  const core = aboutQuestion(() => new WasmAvailability(json, statesMax));
  const settings = Object.fromEntries(Object.entries(question).filter(([name, value]) => value !== undefined && !OF_CHECK.has(name)));
  const progress = () => ({ event: JSON.parse(core.event()) as AvailabilityEvent });
  const checks = await worked(core, { signal, onProgress, progress }, () => JSON.parse(core.checks()) as CheckJson[]);
  return checks.map((check) => withQuestion(check, settings, question.clients));
}

/** A check with its question in the place of what makes it. */
function withQuestion({ clients, allowMs, faults, ...check }: CheckJson, settings: Question, asked: Question['clients']): AvailabilityCheck {
  const allow = allowMs === null ? {} : { allow: `${allowMs}ms` as const };
  const property = { is: check.property, ...allow } as NonNullable<Question['property']>;
  const several = clients === 1 ? [{}] : asked;
  return { ...check, question: { ...settings, ...boundsOf(faults), processes: check.processes, ...(several !== undefined && { clients: several }), property } };
}
