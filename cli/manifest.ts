// `locket-wasm advise --manifest`: a line for each job of Cloud Foundry in a BOSH deployment manifest, with its preset, the
// verdict, and the property that would change it. The table has the jobs, and the package judges presets.

import { type Duration, durationMs, LocketArgumentError } from 'locket-wasm';
import { advise, explore, type Exploration, type Question } from 'locket-wasm/check';
import { Composer, type CST, Lexer, Parser } from 'yaml';

import table from '../sim/src/check/question/presets.json' with { type: 'json' };
import releases from '../sim/src/check/question/releases.json' with { type: 'json' };
import { EXIT_USAGE, Failure } from './command.js';

/** Jobs that keep their locks or presences alike. */
interface Jobs {
  release: string;
  jobs: readonly string[];
  rows: readonly Row[];
}

/** How they do so from one version of their release on. The package knows up to which one. */
interface Row {
  from: string;
  runner: string;
  ttl: string;
  retryInterval: string;
  /** The values with which a property turns the lock or presence off; an empty one stands for none. */
  off?: Readonly<Record<string, readonly Yaml[]>>;
  /** The properties that set a time. */
  sets?: Readonly<Partial<Record<Time, readonly string[]>>>;
}

type Time = 'retryInterval' | 'ttl';

/** A job of a manifest, and what was found out about it. */
export interface JobAdvice {
  file: string;
  group: string;
  job: string;
  /** The runner with its settings, such as `diego-bbs@2.102.0`. */
  preset: string;
  /** `off`: it keeps nothing in Locket. `refused`: the table or the checker refuses its version or a property. */
  verdict: Exploration['verdict'] | 'off' | 'refused';
  /** The verdict in words, with the property that would change it. */
  message: string;
}

/** The advice about a manifest. */
export interface ManifestAdvice {
  jobs: JobAdvice[];
  /** The jobs that may keep a lock in Locket and are not in the table, as `group/job`. */
  notInTable: string[];
}

/** A question about a preset within the bounds of the options. */
type Ask = (settings: Partial<Question>) => Question;

/** Values of YAML, where every other scalar is a text: a version such as 2.10 is none of the numbers. */
type Yaml = boolean | string | null | undefined | Yaml[] | { [name: string]: Yaml };

const MORE = releases as Readonly<Record<string, Pick<Row, 'off' | 'sets'>>>;
const TABLE: readonly Jobs[] = table.map((of) => ({ ...of, rows: of.rows.map((row) => ({ ...row, ...MORE[`${of.release}-${of.jobs[0]}@${row.from}`] })) }));
const MANIFEST_CHARACTERS_MAX = 4 * 1024 * 1024;
const NESTING_MAX = 200;
const ALIASES_MAX = 500;
/** A tarball's name behind that of its release: the version and, if it is compiled, the stemcell. */
const TARBALL_END = /^(\d+(?:\.\d+)*)(?:-(?:ubuntu|windows)[-\d].*)?\.tgz$/;
/** Words without quotes that BOSH reads as a truth, or as nothing. To its templates a text is true, even "false". */
const WORDS = { tag: 'tag:yaml.org,2002:bool', default: true, test: /^(?:yes|no|on|off|true|false|null|~)$/i, resolve: (word: string) => (/^(?:null|~)$/i.test(word) ? null : /^(?:yes|on|true)$/i.test(word)) };

/** Judges the jobs of a manifest. `known` has the verdicts on presets with the same settings. */
export async function manifestAdvice(file: string, text: string, question: Ask, maxStates: number | undefined, known: Map<string, Promise<string[]>>): Promise<ManifestAdvice> {
  const manifest = read(file, text);
  const versions = versionsOf(manifest);
  const found: ManifestAdvice = { jobs: [], notInTable: [] };
  const mayHave = new Map<Yaml, boolean>();
  const options = { ...(maxStates !== undefined && { maxStates }) };
  for (const group of [...items(member(manifest, 'instance_groups')), ...items(member(manifest, 'addons'))]) {
    for (const entry of items(member(group, 'jobs'))) {
      const [name, job, release] = [member(group, 'name'), member(entry, 'name'), member(entry, 'release')].map(textOf);
      const jobs = TABLE.find((it) => it.jobs.includes(job as string));
      if (jobs === undefined || (release !== undefined && release !== jobs.release)) {
        if (jobs !== undefined || hasAddress(member(entry, 'properties'), '', mayHave)) found.notInTable.push(`${name}/${job}`);
        continue;
      }
      const properties = [entry, group, manifest].map((it) => member(it, 'properties')).find((it) => it !== undefined && it !== null);
      const version = versions.get(jobs.release) ?? '';
      const preset = `${jobs.release}-${job}@${version}`;
      const row = rowOf(jobs, version);
      const given = Object.entries(row?.sets ?? {}).flatMap(([time, names]) => names.flatMap((it) => (valueOf(properties, it) === '' ? [] : [[time, valueOf(properties, it)]])));
      const settings: Partial<Question> = { runner: preset as never, ...Object.fromEntries(given.reverse()) };
      const key = JSON.stringify(settings);
      if (!known.has(key)) known.set(key, judged(question(settings), row, options));
      const judgement = (await known.get(key)) as string[];
      const off = textOf(member(group, 'instances')) === '0' ? '0 instances' : judgement[0] === 'refused' ? undefined : switchedOff(row, properties);
      const [verdict, message] = off === undefined ? judgement : ['off', `keeps nothing in Locket: ${off}`];
      found.jobs.push({ file, group: name ?? '', job: job as string, preset, verdict, message } as JobAdvice);
    }
  }
  return found;
}

/** The verdict, and a sentence with it. */
async function judged(question: Question, row: Row | undefined, options: { maxStates?: number }): Promise<string[]> {
  try {
    const { verdict, summary } = await explore(question, { ...options, longest: false });
    const [first = ''] = summary.split('. ');
    if (verdict === 'safe') return [verdict, `${first}, for ${/ holds for ([^.]+)\./.exec(summary)?.[1] ?? 'so many clients only'}`];
    return [verdict, verdict === 'unsafe' ? `${first}; ${await remedy(question, row, options)}` : first];
  } catch (error) {
    if (error instanceof LocketArgumentError && ['runner', 'ttl', 'retryInterval'].includes(error.field)) return ['refused', error.message];
    throw error;
  }
}

/** The value of a property that makes the settings safe. */
async function remedy(question: Question, row: Row | undefined, options: { maxStates?: number }): Promise<string> {
  const [[time, names] = []] = Object.entries(row?.sets ?? {}) as [Time, readonly string[]][];
  if (row === undefined || time === undefined || names === undefined) return 'no property changes its settings';
  const other = time === 'ttl' ? 'retryInterval' : 'ttl';
  const otherMs = durationMs(row[other] as Duration);
  const { alternatives } = await advise(question, options);
  const safe = alternatives.find((it) => it.runner === row.runner && it[`${other}Ms`] === otherMs);
  const property = names.join(' or ');
  return safe === undefined ? `no value of ${property} that was tried makes it safe` : `safe with ${property}: ${safe[`${time}Ms`] / 1000}s`;
}

function read(file: string, text: string): Yaml {
  const refused = (problem: string, cause?: unknown) => new Failure(EXIT_USAGE, `${file}: ${problem}`, cause);
  if (text.length > MANIFEST_CHARACTERS_MAX) throw refused('expected a manifest of at most 4 MiB');
  try {
    const [document, another] = new Composer({ schema: 'failsafe', customTags: [WORDS], merge: true, uniqueKeys: false }).compose(tokens(text), true, text.length);
    const [error = another && new Error('more than one document')] = document?.errors ?? [];
    if (error !== undefined) throw error;
    const manifest = document?.toJS({ maxAliasCount: -1 }) as Yaml;
    if (Array.isArray(member(manifest, 'instance_groups'))) return manifest;
  } catch (error) {
    const { message, pos: [offset] = [] } = error as Error & { pos?: number[] };
    const where = offset === undefined ? '' : ` in line ${text.slice(0, offset).split('\n').length}`;
    throw refused(`expected YAML${where}: ${message}`, error);
  }
  throw refused('expected a deployment manifest with a list of instance_groups; apply operations files first with bosh interpolate');
}

/** Ends before the reader takes long for deep nesting or for many aliases, or overflows the stack. */
function* tokens(text: string): Generator<CST.Token, void> {
  const parser = new Parser();
  let aliases = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (lexeme.startsWith('*')) aliases += 1;
    if (parser.stack.length > NESTING_MAX || aliases > ALIASES_MAX) throw new Error(`at most ${NESTING_MAX} levels and ${ALIASES_MAX} aliases`);
  }
  yield* parser.end();
}

/** The version of each release as written, or as the address of its tarball has it behind its name: `diego-2.102.0-ubuntu-….tgz`. */
function versionsOf(manifest: Yaml): Map<string, string> {
  const versions = new Map<string, string>();
  for (const release of items(member(manifest, 'releases'))) {
    const name = textOf(member(release, 'name')) ?? '';
    const address = textOf(member(release, 'url')) ?? '';
    const tarball = address.slice(address.lastIndexOf('/') + 1);
    const start = [`${name}-release-`, `${name}-`].find((it) => tarball.startsWith(it)) ?? tarball;
    const inAddress = /^https:\/\/bosh\.io\/d\/[^?]*\?v=([^&#]+)/.exec(address) ?? TARBALL_END.exec(tarball.slice(start.length));
    const text = textOf(member(release, 'version')) ?? inAddress?.[1] ?? address;
    // Of two versions of a release, none is known to be the job's.
    versions.set(name, versions.has(name) && versions.get(name) !== text ? `${versions.get(name)} and ${text}` : text);
  }
  return versions;
}

/** The row of a version that the package knows: the last one from that version or before it. */
function rowOf({ rows }: Jobs, version: string): Row | undefined {
  return rows.findLast(({ from }) => from.localeCompare(`${version}.0`, 'en', { numeric: true }) <= 0);
}

function switchedOff(row: Row | undefined, properties: Yaml): string | undefined {
  for (const [name, values] of Object.entries(row?.off ?? {})) {
    const value = valueOf(properties, name);
    if (values.includes(value === 'true' || value)) return `${name} is ${value === '' ? 'not set' : String(value)}`;
  }
  return undefined;
}

/** The value of a property; empty if there is none. */
const valueOf = (properties: Yaml, name: string): Yaml => name.split('.').reduce(member, properties) ?? '';

/** True if a property is an address of Locket, such as `locket.api_location`. */
function hasAddress(value: Yaml, path: string, known: Map<Yaml, boolean>): boolean {
  if (!value || typeof value !== 'object') return /(^|[._-])locket[._](api_location|address|host|hostname)$/.test(path);
  if (!known.has(value)) known.set(value, false).set(value, Object.entries(value).some(([name, it]) => hasAddress(it, `${path}.${name}`, known)));
  return known.get(value) as boolean;
}

const items = (list: Yaml): Yaml[] => (Array.isArray(list) ? list : []);
const member = (value: Yaml, name: string): Yaml => (value && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name) ? value[name] : undefined);
const textOf = (value: Yaml): string | undefined => (typeof value === 'string' ? value : undefined);
