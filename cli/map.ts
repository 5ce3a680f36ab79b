// `locket-wasm map`: the faults that each lease and retry interval tolerates.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Duration } from 'locket-wasm';
import { joinMaps, type MapQuestion, mapRows, mapSettings, type SettingsMap } from 'locket-wasm/check';
import { length } from 'locket-wasm/picture';
import type { DurationRange, MapAxis, MapCell, MapProgress, RunnerName } from 'locket-wasm/types';

import { duration, EXIT_UNFINISHED, Failure, newCommand, wholeNumber } from './command.js';
import { RUNNERS } from './question-options.js';
import { checkJobs, inJobs } from './jobs.js';
import { suiteOf, type TestCase } from './junit.js';
import { amount, AXIS_NAMES, type Drawn, drawn } from './map-table.js';
import { reporting } from './printer.js';
import { OPTION_OF_FIELD, type QuestionOptions, questionOf, withQuestion } from './question.js';
import { type Line, type Report, type Span, toned } from './report.js';
import { estimate, type EstimateOptions, withEstimate } from './shards/estimate.js';
import { runPart, workOf } from './shards/part.js';
import { type ShardOptions, shardOf, unitsOf, withoutVerdict, withShards } from './shards/shard.js';
import { status } from './terminal.js';
import { WHY_UNKNOWN, whyUnknown } from './why-unknown.js';

const DESCRIPTION = `Draws a map of settings: for each lease and retry interval, the smallest pause,
latency, number of lost messages or clock error that breaks the property. Each
cell is the result of complete searches: everything smaller is safe. No search
is exact with a clock error: a run confirms what breaks; the rest is unknown.`;

const EXAMPLES = `
A cell with > 5 s means that nothing up to 5 s breaks the property. With ≤ 5 s,
5 s breaks it, and less may do so, too. A ? means that the cell is unknown. With
a ≤ or a ? the exit code is 5, and the last line says why. With --shard and
--output it is 0 once the report is written, and merge has the verdict.

The pauses that upstream's runner tolerates, with a latency of up to 1 s:

  locket-wasm map --runner upstream --profile upstream --ttl 3s..14s \\
    --retry-interval 1s..5s --latency 1s

How many lost messages it tolerates before there are two owners:

  locket-wasm map --runner upstream --profile upstream --ttl 5s,10s,15s \\
    --retry-interval 1s,5s --axis lostMessages

How long a large map takes on four machines; the second of them; and all four
reports as one map:

  locket-wasm map --ttl 3s..30s --fault pause=1s,2 --shard 1/4 --estimate
  locket-wasm map --ttl 3s..30s --fault pause=1s,2 --shard 2/4 --output part-2.json
  locket-wasm merge part-*.json
`;

interface Options extends EstimateOptions, MapReportOptions, QuestionOptions, ShardOptions {
  ttl: DurationRange;
  retryInterval: DurationRange;
  axis: MapAxis;
  maxSteps?: number;
  runner?: RunnerName;
}

/** The options of a map's reports. */
export interface MapReportOptions {
  json?: true;
  junit?: string;
}

export function mapCommand(): Command {
  const command = newCommand('map', 'map the faults that leases and retry intervals tolerate')
    .description(DESCRIPTION)
    .addOption(new Option('--ttl <durations>', 'the leases: 3s..14s, or 5s,10s,15s').argParser(range).default({ from: '3s', to: '14s' }, '3s..14s'))
    .addOption(new Option('--retry-interval <durations>', 'the retry intervals').argParser(range).default({ from: '1s', to: '5s' }, '1s..5s'))
    .addOption(new Option('--axis <name>', 'the fault to increase').choices(Object.keys(AXIS_NAMES)).default('pause'))
    .option('--max-steps <count>', 'the most steps of the axis', wholeNumber)
    .addOption(new Option('--runner <name>', 'the runner; safe by default').choices(RUNNERS))
    .option('--jobs <count>', 'the number of cores to use, one for each row', wholeNumber, 1);
  return withMapReports(withEstimate(withShards(withQuestion(command), 'rows')).option('--json', 'print the cells as JSON'))
    .addHelpText('after', EXAMPLES)
    .action(reporting(drawMap, OPTION_OF_FIELD));
}

/** Adds the options of a map's reports. */
export function withMapReports(command: Command): Command {
  return command
    .option('--junit <file>', 'also write a JUnit report with a case for each cell');
}

async function drawMap(options: Options): Promise<Report> {
  const { jobs, maxStates, output } = options;
  checkJobs(jobs);
  const question = questionOfMap(options);
  const search = maxStates === undefined ? {} : { maxStates };
  const rows = mapRows(question);
  if (options.estimate) return estimateMap(question, rows, search, options);
  const own = unitsOf(rows, shardOf(options), 'row');
  const work = workOf('map', shardOf(options), { question, ...search });
  return withoutVerdict(mapReport(joinMaps(await runPart(work, output, () => mapsOf(own, search, jobs)))), options);
}

function questionOfMap({ ttl, retryInterval, axis, maxSteps, runner, jobs, shard, output, estimate: _, sample, json, junit: __, ...rest }: Options): MapQuestion {
  return {
    ...questionOf('map', rest),
    ttl,
    retryInterval,
    axis,
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
    const onProgress = ({ cells, total }: MapProgress) => status.show(`${maps.length * total + cells} of ${rows.length * total} cells`);
    maps.push(await mapSettings(row, { ...search, onProgress }));
  }
  return maps;
}

/** A sample of single cells, since a row may take long. */
async function estimateMap(question: MapQuestion, rows: MapQuestion[], search: SearchLimit, options: Options): Promise<Report> {
  // A range of columns becomes a list as one of rows does.
  const columns = mapRows({ ...question, ttl: question.retryInterval }).map(({ ttl }) => ttl);
  const cells = rows.flatMap((row) => columns.map((retryInterval) => ({ ...row, retryInterval })));
  return estimate('cell', cells.length, shardOf(options), options, async (place, signal) => {
    const map = await mapSettings(cells[place] as MapQuestion, { ...search, signal });
    return map.cells.reduce((sum, { states }) => sum + states, 0);
  });
}

/** The report on a map. It has no verdict if a cell is unknown. */
export function mapReport(map: SettingsMap): Report {
  const open = whyUnknown(map.cells, 'cells');
  return {
    text: () => mapLines(map),
    json: [map],
    suite: () => suiteOf('locket-wasm map', map.cells.map((cell) => caseOf(map, cell))),
    failure: open === undefined ? undefined : new Failure(EXIT_UNFINISHED, open),
  };
}

/** A cell fails if the property breaks without a fault. */
function caseOf({ axis, bounds }: SettingsMap, cell: MapCell): TestCase {
  const { ttlMs, retryIntervalMs, because, breaksAt, safeUpTo } = cell;
  const result = because !== null ? 'error' : breaksAt === 0 ? 'failure' : 'passed';
  const least = breaksAt === null ? `no ${AXIS_NAMES[axis]} tried breaks the property` : `a ${AXIS_NAMES[axis]} of ${amount(axis, breaksAt)} breaks the property`;
  // The timers of a slow clock fall between the steps of every search.
  const proved = axis === 'clockRate' ? 'passes every step tried' : 'is safe';
  const most = safeUpTo === null ? `no value is ${because === null ? '' : 'known to be '}safe` : `up to ${amount(axis, safeUpTo)} ${proved}`;
  const open = because === null ? '' : ` The rest is unknown: ${WHY_UNKNOWN[because]}.`;
  const message = `${least}; ${most} within these bounds.${open} ${bounds}`;
  return { name: `lease ${length(ttlMs)}, retry interval ${length(retryIntervalMs)}`, result, message, text: message };
}

const LOOKS = { bad: 'red', good: 'green', unknown: 'yellow' } as const;

function mapLines(map: SettingsMap): Line[] {
  const { heads, rows } = drawn(map);
  const texts = [...heads, ...rows.flatMap(([head, cells]) => [head, ...cells.map(({ text }) => text)])];
  const width = Math.max(...texts.map((text) => text.length));
  const cellSpan = ({ text, look }: Drawn) => (look === 'plain' ? text.padStart(width) : toned(LOOKS[look], text.padStart(width)));
  const headSpan = (head: string) => toned('bold', head.padStart(width));
  const row = (spans: Span[]): Line => spans.flatMap((span, index) => (index === 0 ? [span] : ['  ', span]));
  const title = `the smallest ${AXIS_NAMES[map.axis]} that breaks the property, by lease T and retry interval r`;
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

/** A range or a list of durations: 3s..14s, or 5s,10s,15s. */
function range(value: string): DurationRange {
  const [from, to, more] = value.split('..').map((end) => end.split(',').map(duration));
  if (from?.length === 1 && to?.length === 1 && more === undefined) return { from: from[0] as Duration, to: to[0] as Duration };
  if (from === undefined || to !== undefined) throw new InvalidArgumentError('Expected a range such as 3s..14s, or a list such as 5s,10s,15s.');
  return from;
}
