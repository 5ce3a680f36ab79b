// The map of settings: the faults that each TTL and retry interval tolerates.

import { cellBounds, mapSteps, settingsMap } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { checkChoice, checkObject, knownFields, safeInteger } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import type { MapCell } from './advice-value.js';
import { aboutQuestion, type ExploreOptions } from './explore.js';
import { begun, worked } from './long-work.js';
import { boundsOf, type Question, questionValue, type RunnerQuestion } from './question.js';
import { STATES_EACH } from './states.js';

/** The fault that increases in each cell until the property breaks. */
export type MapAxis =
  /** The latency of messages, in milliseconds, in steps of the grid. */
  | 'latency'
  /** The number of lost messages. */
  | 'lostMessage'
  /** The length of a client's pause, in milliseconds, in steps of the grid. */
  | 'pause';

/** Durations from one to another in steps of a second, both included; or a list; or one. */
export type DurationRange = Duration | { from: Duration; to: Duration } | readonly Duration[];

/** The question of a map: the common members, and the ranges. */
export interface MapQuestion extends Omit<Question, 'retryInterval' | 'ttl'> {
  /** The rows; by default one, the TTL of the question's scenario, or 15 s. */
  ttl?: DurationRange;
  /** The columns; by default one, the retry interval of the question's scenario, or 5 s. */
  retryInterval?: DurationRange;
  /** The fault to increase; `pause` by default. */
  axis?: MapAxis;
  /** The most steps to try; by default as many as needed to reach the longest TTL. */
  maxSteps?: number;
}

/** A map of settings. */
export interface SettingsMap {
  axis: MapAxis;
  /** Row by row. */
  cells: MapCell[];
  /** The bounds within which the cells hold, as a sentence. */
  bounds: string;
  /** The map as a table, for people. */
  text: string;
}

/** The progress of a map. */
export interface MapProgress {
  /** The number of finished cells. */
  cells: number;
  /** The number of all cells. */
  total: number;
}

/** Options of {@link mapSettings}. */
export interface MapOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: MapProgress) => void;
}

const CELLS_MAX = 10_000;
const STEPS_MAX = 100_000;
const AXES = ['latency', 'lostMessage', 'pause'];

/**
 * Finds, for each TTL and retry interval, the smallest pause, latency or number of lost messages that
 * breaks a property, by complete searches. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const map = await mapSettings({ runner: 'upstream', ttl: { from: '3s', to: '12s' }, retryInterval: { from: '1s', to: '5s' }, latency: '1s' });
 * console.log(map.text);
 * ```
 */
export async function mapSettings(question: MapQuestion, options: MapOptions = {}): Promise<SettingsMap> {
  const { maxStates, ...waiting } = await begun(options, STATES_EACH);
  const json = mapJson(question);
  const [cells, bounds, text] = await worked<[MapCell[], string, string]>(aboutQuestion(() => settingsMap(json, maxStates)), waiting);
  return { axis: question.axis ?? 'pause', cells, bounds, text };
}

/**
 * Returns the question about one cell of a map, with an amount of the map's fault: `breaksAt` is the smallest that it answers with
 * `unsafe`. Load the module before, with `init` or any search.
 *
 * @example
 * ```ts
 * const broken = map.cells.find(({ breaksAt }) => breaksAt !== null);
 * const { link } = await explore(questionOfCell(question, broken, broken.breaksAt));
 * ```
 */
export function questionOfCell(question: MapQuestion, cell: Pick<MapCell, 'retryIntervalMs' | 'ttlMs'>, amount: number): Question {
  checkObject('cell', cell);
  for (const field of ['ttlMs', 'retryIntervalMs'] as const) safeInteger(`cell.${field}`, cell[field], 0);
  safeInteger('amount', amount, 0);
  const { ttlMs, retryIntervalMs } = cell;
  const json = mapJson(question);
  const bounds = JSON.parse(aboutQuestion(() => cellBounds(json, ttlMs, retryIntervalMs, amount))) as Parameters<typeof boundsOf>[0];
  // Every search is exact: the grid says only how long a step of the map is.
  const { ttl: _, retryInterval: __, axis: ___, maxSteps: ____, grid: _____, clients, ...shared } = question;
  const listed = Array.isArray(clients) ? { clients: clients.map(ofCell) } : clients && { clients };
  return { ...shared, ...listed, ...boundsOf(bounds), ttl: `${ttlMs}ms`, retryInterval: `${retryIntervalMs}ms` };
}

/** A client without times of its own, which the cell says for all. */
function ofCell(client: RunnerQuestion): RunnerQuestion {
  const { ttl: _, retryInterval: __, ...shared } = client;
  return shared;
}

/**
 * Splits the question of a map into rows, to ask each in a Worker or on another machine. Load the module before, with `init`
 * or any search.
 *
 * @example
 * ```ts
 * const maps = await Promise.all(mapRows(question).map((row) => askWorker(row))); // mapSettings(row), over there
 * console.log(merge(maps).text);
 * ```
 */
export function mapRows(question: MapQuestion): MapQuestion[] {
  // The steps may depend on all rows.
  const json = mapJson(question);
  const maxSteps = aboutQuestion(() => mapSteps(json));
  const { ttl } = question;
  const rows = ttl === undefined ? [{}] : lengths('ttl', ttl).map((one) => ({ ttl: [one] }));
  return rows.map((row) => ({ ...question, ...row, maxSteps }));
}

/** Joins the maps of rows, at least one, in this order. */
export function joinMaps(maps: readonly SettingsMap[]): SettingsMap {
  const [first] = maps as [SettingsMap, ...SettingsMap[]];
  for (const [index, map] of maps.entries()) {
    checkMap(`results[${index}]`, map);
    if (map.axis !== first.axis) throw new LocketArgumentError(`results[${index}].axis`, `expected ${first.axis}, as in the first map`);
  }
  const rows = maps.map(({ text }) => text.slice(text.indexOf('\n') + 1));
  const head = first.text.slice(0, first.text.indexOf('\n') + 1);
  return { axis: first.axis, cells: maps.flatMap(({ cells }) => cells), bounds: first.bounds, text: head + rows.join('') };
}

/** A map from elsewhere may be any value. */
function checkMap(field: string, map: unknown): void {
  checkObject(field, map);
  const { axis, cells, bounds, text } = map as Partial<SettingsMap>;
  checkChoice(`${field}.axis`, axis ?? '', AXES);
  const isMap = typeof text === 'string' && typeof bounds === 'string' && Array.isArray(cells) && cells.every((cell: unknown) => typeof cell === 'object' && cell !== null);
  if (!isMap) throw new LocketArgumentError(field, 'expected a map that mapSettings returned');
}

/** The question of a map as the module reads it. */
function mapJson(question: MapQuestion): string {
  checkObject('question', question);
  const { ttl, retryInterval, axis = 'pause', maxSteps, ...shared } = question;
  checkChoice('axis', axis, AXES);
  if (maxSteps !== undefined) safeInteger('maxSteps', maxSteps, 0, STEPS_MAX);
  const rows = ttl === undefined ? undefined : lengths('ttl', ttl);
  const columns = retryInterval === undefined ? undefined : lengths('retryInterval', retryInterval);
  return JSON.stringify({ question: questionValue(shared, 'question'), ttl: rows, retryInterval: columns, axis, maxSteps });
}

function lengths(field: string, range: DurationRange): Duration[] {
  if (typeof range === 'string') {
    lengthMs(field, range);
    return [range];
  }
  if (Array.isArray(range)) {
    for (const [index, length] of range.entries()) lengthMs(`${field}[${index}]`, length);
    return [...range] as Duration[];
  }
  knownFields(field, range, new Set(['from', 'to']));
  const { from, to } = range as { from: Duration; to: Duration };
  const first = wholeSeconds(`${field}.from`, from, 1);
  const last = wholeSeconds(`${field}.to`, to, first);
  return Array.from({ length: last - first + 1 }, (_, index): Duration => `${first + index}s`);
}

function wholeSeconds(field: string, length: unknown, least: number): number {
  const seconds = lengthMs(field, length) / 1_000;
  if (Number.isInteger(seconds) && seconds >= least && seconds <= CELLS_MAX) return seconds;
  throw new LocketArgumentError(field, `expected whole seconds from ${least}s to ${CELLS_MAX}s, not ${String(length)}`);
}
