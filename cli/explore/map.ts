// `explore --map`: the faults that each TTL and retry interval tolerates.

import { merge, type MapQuestion, mapRows, mapSettings, type SettingsMap } from 'locket-wasm/check';
import type { MapAxis, MapCell } from 'locket-wasm/types';

import { length } from '../../src/js/base/times.js';
import { EXIT_UNFINISHED, EXIT_USAGE, Failure } from '../command.js';
import { checkJobs, inJobs } from '../jobs.js';
import { suiteOf, type TestCase } from '../junit.js';
import { amount, AXIS_NAMES, type Drawn, drawn } from './map-table.js';
import { QUESTION_TAKES, type QuestionOptions, questionOf } from '../question.js';
import { type Line, type Report, type Span, toned } from '../report.js';
import { type Durations, rangeOf, searchLimit } from './settings.js';
import { runPart, workOf } from '../shards/part.js';
import { SHARDS_TAKE, type ShardOptions, shardOf, unitsOf, withoutVerdict } from '../shards/shard.js';
import { status } from '../terminal.js';
import { WHY_UNKNOWN, whyUnknown } from '../why-unknown.js';

interface Options extends QuestionOptions, ShardOptions {
  map: string;
  ttl?: Durations;
  retryInterval?: Durations;
  maxSteps?: number;
  runner?: NonNullable<MapQuestion['runner']>[];
}

/** The axes as faults are written here. */
const AXES: Readonly<Record<string, MapAxis>> = { latency: 'latency', 'lost-message': 'lostMessage', pause: 'pause' };

export const MAP_AXES: readonly string[] = Object.keys(AXES);

/**
 * For each TTL and retry interval, the smallest value that breaks the property. Each cell is the result of complete searches:
 * everything smaller is safe.
 */
export const MAP = {
  by: 'map',
  takes: [...QUESTION_TAKES, 'ttl', 'retryInterval', 'runner', 'maxSteps', ...SHARDS_TAKE, 'json', 'junit'],
  work: drawMap,
};

async function drawMap(options: Options): Promise<Report> {
  const { jobs, output } = options;
  checkJobs(jobs);
  const question = questionOfMap(options);
  const search = searchLimit(options);
  const rows = mapRows(question);
  const own = unitsOf(rows, shardOf(options), 'row');
  const work = workOf('map', shardOf(options), { question, ...search });
  return withoutVerdict(mapReport(merge(await runPart(work, output, () => mapsOf(own, search, jobs)))), options);
}

/** Here both ranges have defaults of their own. */
type RangedQuestion = MapQuestion & Required<Pick<MapQuestion, 'retryInterval' | 'ttl'>>;

function questionOfMap(options: Options): RangedQuestion {
  const { ttl = { from: '3s', to: '14s' }, retryInterval = { from: '1s', to: '5s' }, map: axis, maxSteps, runner: [runner, second] = [] } = options;
  if (second !== undefined) throw new Failure(EXIT_USAGE, '--map takes one --runner');
  return {
    ...questionOf('explore', options),
    ttl: rangeOf(ttl),
    retryInterval: rangeOf(retryInterval),
    axis: AXES[axis] as MapAxis,
    ...(maxSteps !== undefined && { maxSteps }),
    ...(runner !== undefined && { runner }),
  };
}

type SearchLimit = { maxStates?: number };

async function mapsOf(rows: MapQuestion[], search: SearchLimit, jobs: number): Promise<SettingsMap[]> {
  if (jobs !== 1) {
    const pieces = rows.map((question) => ({ question, ...search }));
    return inJobs('map', pieces, jobs, (count) => status.show(`${count} of ${pieces.length} rows`));
  }
  const maps: SettingsMap[] = [];
  for (const row of rows) {
    const onProgress = ({ cells, total }: { cells: number; total: number }) => status.show(`${maps.length * total + cells} of ${rows.length * total} cells`);
    maps.push(await mapSettings(row, { ...search, onProgress }));
  }
  return maps;
}

/** The report on a map. It has no verdict if a cell is unknown. */
export function mapReport(map: SettingsMap): Report {
  const open = whyUnknown(map.cells, 'cells');
  return {
    text: () => mapLines(map),
    json: [map],
    suite: () => suiteOf('locket-wasm explore --map', map.cells.map((cell) => caseOf(map, cell))),
    failure: open === undefined ? undefined : new Failure(EXIT_UNFINISHED, open),
  };
}

/** A cell fails if the property breaks without a fault. */
function caseOf({ axis, bounds }: SettingsMap, cell: MapCell): TestCase {
  const { ttlMs, retryIntervalMs, because, breaksAt, safeUpTo } = cell;
  const result = because !== null ? 'error' : breaksAt === 0 ? 'failure' : 'passed';
  const least = breaksAt === null ? `no ${AXIS_NAMES[axis]} tried breaks the property` : `a ${AXIS_NAMES[axis]} of ${amount(axis, breaksAt)} breaks the property`;
  const most = safeUpTo === null ? `no value is ${because === null ? '' : 'known to be '}safe` : `up to ${amount(axis, safeUpTo)} is safe`;
  const open = because === null ? '' : ` The rest is unknown: ${WHY_UNKNOWN[because]}.`;
  const message = `${least}; ${most} within these bounds.${open} ${bounds}`;
  return { name: `TTL ${length(ttlMs)}, retry interval ${length(retryIntervalMs)}`, result, message, text: message };
}

const LOOKS = { bad: 'red', good: 'green', unknown: 'yellow' } as const;

function mapLines(map: SettingsMap): Line[] {
  const { heads, rows } = drawn(map);
  const texts = [...heads, ...rows.flatMap(([head, cells]) => [head, ...cells.map(({ text }) => text)])];
  const width = Math.max(...texts.map((text) => text.length));
  const cellSpan = ({ text, look }: Drawn) => (look === 'plain' ? text.padStart(width) : toned(LOOKS[look], text.padStart(width)));
  const headSpan = (head: string) => toned('bold', head.padStart(width));
  const row = (spans: Span[]): Line => spans.flatMap((span, index) => (index === 0 ? [span] : ['  ', span]));
  const title = `the smallest ${AXIS_NAMES[map.axis]} that breaks the property, by TTL T and retry interval r`;
  return [title, map.bounds, ...forAnyNumber(map), '', row(['', ...heads].map(headSpan)), ...rows.map(([head, cells]) => row([headSpan(head), ...cells.map(cellSpan)]))];
}

/** For how many clients its values are safe. */
function forAnyNumber({ cells }: SettingsMap): string[] {
  const safe = cells.filter(({ safeUpTo }) => safeUpTo !== null);
  const any = safe.filter(({ clients }) => clients === 'any');
  if (any.length === 0) return [];
  const where = any.length === safe.length ? '' : ` in ${any.length} of ${safe.length} cells`;
  return [`All that is safe is safe with any number of clients${where}.`];
}
