// The map of settings: what each TTL and retry interval can take.

import { WasmMap } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { checkChoice, kindOf, knownFields, lengthMs, safeInteger } from '../base/options.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { aboutQuestion, type ExploreOptions } from './explore.js';
import { type Question, questionValue } from './question.js';

/** What is raised in each cell until the property breaks. */
export type MapAxis =
  /** How slow the first client's clock is, in parts per million, in steps of 5 %. */
  | 'clock-rate'
  /** How long messages take, in milliseconds, in steps of the grid. */
  | 'delay'
  /** How many messages are lost. */
  | 'losses'
  /** How long a client stands still, in milliseconds, in steps of the grid. */
  | 'pause';

/** From one number of seconds to another, both included; or just these. */
export type SecondsRange = { from: number; to: number } | readonly number[];

/** The question for a map: what all cells have in common, and what differs. */
export interface MapQuestion extends Omit<Question, 'retryIntervalMs' | 'retrySeconds' | 'ttlSeconds'> {
  /** The rows. */
  ttlSeconds: SecondsRange;
  /** The columns. */
  retrySeconds: SecondsRange;
  /** What is raised; `pause` by default. */
  axis?: MapAxis;
  /** How many steps are tried at most; by default as many as it takes to reach the longest TTL. */
  maxSteps?: number;
}

/** What is known about one pair of settings. Amounts are of the map's axis. */
export interface MapCell {
  ttlMs: number;
  retryMs: number;
  /** The least that breaks the property; `null` if nothing that was tried does. */
  breaksAt: number | null;
  /** The most that is proved safe; `null` if not even nothing is. */
  safeUpTo: number | null;
  /** `false` if a search was cut or is still to come: then what lies between is not known. */
  isComplete: boolean;
  /** What the closed formula says of `breaksAt`, where it applies. */
  formula: number | null;
  /** The formula with its numbers filled in, where it applies. */
  formulaText: string | null;
  /** How many states were found. */
  states: number;
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

/** How far a map is. */
export interface MapProgress {
  /** How many cells are known. */
  cells: number;
  /** Of how many. */
  total: number;
}

/** Options of {@link settingsMap}. */
export interface MapOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with how far the map is. */
  onProgress?: (progress: MapProgress) => void;
}

const STATES_DEFAULT = 1_000_000;
const STATES_MAX = 50_000_000;
const CELLS_MAX = 10_000;
const STEPS_MAX = 100_000;
const MAP_OPTIONS = new Set(['maxStates', 'signal', 'onProgress']);
const GRID = '1s';
const AXES = ['clock-rate', 'delay', 'losses', 'pause'];

/**
 * For each TTL and retry interval the least pause, delay, number of losses or clock error that breaks a property, each cell
 * by complete searches. The event loop goes on meanwhile.
 *
 * @example
 * ```ts
 * const map = await settingsMap({ ttlSeconds: { from: 3, to: 12 }, retrySeconds: { from: 1, to: 5 }, delay: '1s' });
 * console.log(map.text);
 * ```
 */
export async function settingsMap(question: MapQuestion, options: MapOptions = {}): Promise<SettingsMap> {
  await moduleReady();
  knownFields('options', options, MAP_OPTIONS);
  const { signal, onProgress, maxStates = STATES_DEFAULT } = options;
  const statesMax = safeInteger('maxStates', maxStates, 1, STATES_MAX);
  checkWaiting(options);
  const { axis, value, total } = mapValue(question);
  const core = aboutQuestion(() => new WasmMap(JSON.stringify(value), statesMax));
  try {
    await inSlices((budget) => core.run(budget), {
      signal,
      onSlice: () => onProgress?.({ cells: core.begun(), total }),
    });
    return { axis, cells: cellsOf(core), bounds: core.bounds(), text: core.text() };
  } finally {
    core.free();
  }
}

/**
 * The question of a map, row by row: each can be asked by itself, in a Worker or on another machine.
 *
 * @example
 * ```ts
 * const maps = await Promise.all(mapRows(question).map((row) => askWorker(row))); // settingsMap(row), over there
 * console.log(joinMaps(maps).text);
 * ```
 */
export function mapRows(question: MapQuestion): MapQuestion[] {
  const { value, ttls } = mapValue(question);
  // What is tried at most may depend on all rows.
  const longestMs = 1000 * Math.max(0, ...ttls);
  const maxSteps = value.stepsMax ?? Math.floor(longestMs / Math.max(1, lengthMs('grid', question.grid ?? GRID)));
  return ttls.map((ttl) => ({ ...question, ttlSeconds: [ttl], maxSteps }));
}

/** The map whose rows these are, in this order: the same that {@link settingsMap} makes of the whole question. */
export function joinMaps(maps: readonly SettingsMap[]): SettingsMap {
  if (!Array.isArray(maps)) throw new LocketArgumentError('maps', `expected an array, not ${kindOf(maps)}`);
  const [first] = maps as readonly SettingsMap[];
  if (first === undefined) throw new LocketArgumentError('maps', 'expected at least one');
  for (const [index, map] of maps.entries()) {
    checkMap(`maps[${index}]`, map);
    if (map.axis !== first.axis) throw new LocketArgumentError(`maps[${index}].axis`, `expected ${first.axis}, as of the first map`);
  }
  const rows = maps.map(({ text }) => text.slice(text.indexOf('\n') + 1));
  const head = first.text.slice(0, first.text.indexOf('\n') + 1);
  return { axis: first.axis, cells: maps.flatMap(({ cells }) => cells), bounds: first.bounds, text: head + rows.join('') };
}

/** What comes from elsewhere may be anything. */
function checkMap(field: string, map: unknown): void {
  if (typeof map !== 'object' || map === null) throw new LocketArgumentError(field, `expected a map, not ${kindOf(map)}`);
  const { axis, cells, bounds, text } = map as Partial<SettingsMap>;
  checkChoice(`${field}.axis`, axis ?? '', AXES);
  const isMap = typeof text === 'string' && typeof bounds === 'string' && Array.isArray(cells) && cells.every((cell: unknown) => typeof cell === 'object' && cell !== null);
  if (!isMap) throw new LocketArgumentError(field, 'expected a map, as settingsMap gives it');
}

interface MapValue {
  question: object;
  ttls: string[];
  retries: string[];
  axis: MapAxis;
  stepsMax: number | undefined;
}

function mapValue(question: MapQuestion): { axis: MapAxis; value: MapValue; ttls: number[]; total: number } {
  if (typeof question !== 'object' || question === null) {
    throw new LocketArgumentError('question', `expected an object, not ${kindOf(question)}`);
  }
  const { ttlSeconds, retrySeconds, axis = 'pause', maxSteps, ...shared } = question;
  checkChoice('axis', axis, AXES);
  const ttls = numbers('ttlSeconds', ttlSeconds);
  const retries = numbers('retrySeconds', retrySeconds);
  const stepsMax = maxSteps === undefined ? undefined : safeInteger('maxSteps', maxSteps, 0, STEPS_MAX);
  const inSeconds = (list: number[]) => list.map((seconds) => `${seconds}s`);
  const value = { question: questionValue(shared, 'question'), ttls: inSeconds(ttls), retries: inSeconds(retries), axis, stepsMax };
  return { axis, value, ttls, total: ttls.length * retries.length };
}

function numbers(field: string, range: SecondsRange): number[] {
  if (Array.isArray(range)) {
    return range.map((seconds, index) => safeInteger(`${field}[${index}]`, seconds, 1, CELLS_MAX));
  }
  knownFields(field, range, new Set(['from', 'to']));
  const { from, to } = range as { from: number; to: number };
  const first = safeInteger(`${field}.from`, from, 1, CELLS_MAX);
  const last = safeInteger(`${field}.to`, to, first, CELLS_MAX);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

interface CellJson extends Omit<MapCell, 'formulaText' | 'retryMs' | 'ttlMs'> {
  ttl: number;
  retry: number;
}

function cellsOf(core: WasmMap): MapCell[] {
  const cells = JSON.parse(core.cells()) as CellJson[];
  return cells.map(({ ttl, retry, ...cell }, index) => {
    return { ttlMs: ttl, retryMs: retry, ...cell, formulaText: core.formula(index) ?? null };
  });
}
