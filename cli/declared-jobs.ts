// Jobs that are not of Cloud Foundry, or not as the table says: a file of the user declares how they
// keep a lock or presence in Locket.

import { type Duration, durationMs, LocketArgumentError } from 'locket-wasm';
import type { Question } from 'locket-wasm/check';
import type { RunnerName } from 'locket-wasm/types';
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';

import { RUNNERS } from './question-options.js';
import { meant, nearest } from './spelling.js';
import { offsetOf, YamlText } from './yaml-text.js';

/** How a job keeps a lock or presence. */
export interface DeclaredJob {
  /** Its name in manifests. */
  name: string;
  /** Where it is declared: file, line and column. */
  where: string;
  /** The key that it keeps. */
  key: string;
  kind: 'lock' | 'presence';
  runner: RunnerName;
  ttl: Duration;
  retryInterval: Duration;
}

/** An example, for help and errors. */
export const DECLARED_EXAMPLE = '- {name: my-job, key: my-lock, ttl: 30s, retry_interval: 5s, runner: upstream}';

const FIELDS = ['name', 'key', 'kind', 'runner', 'ttl', 'retry_interval'];
const KINDS = ['lock', 'presence'];

/** The jobs that a file declares. */
export function declaredJobs(file: string, text: string): DeclaredJob[] {
  const yaml: YamlText = new YamlText(file, text, { what: 'a list of jobs' });
  const root = yaml.resolved(yaml.document.contents);
  if (!isSeq(root)) yaml.fail(0, `expected a list of jobs, such as ${DECLARED_EXAMPLE}`);
  return root.items.map((item) => {
    const node = yaml.resolved(item);
    if (!isMap(node)) yaml.fail(offsetOf(node), `expected a job, such as ${DECLARED_EXAMPLE}`);
    return declaredJob(yaml, node);
  });
}

/** The question about a job's settings, without faults: as for a job of the table. */
export function questionOfDeclared({ kind, runner, ttl, retryInterval }: DeclaredJob): Question {
  const isLock = kind === 'lock';
  return { runner, kind, profile: 'upstream', ttl, retryInterval, clients: isLock ? [{}, {}] : [{}], property: isLock ? { is: 'one-owner' } : { is: 'presence-gap', allow: '0s' } };
}

/** A declared job as a sentence without its full stop. */
export function declaredSummary({ name, key, kind, runner, ttl, retryInterval, where }: DeclaredJob): string {
  const seconds = (duration: Duration) => `${durationMs(duration) / 1000} s`;
  return `${name} keeps the ${kind} ${key} with the ${runner} runner: TTL ${seconds(ttl)}; retry ${seconds(retryInterval)}; declared at ${where}`;
}

function declaredJob(yaml: YamlText, map: YAMLMap): DeclaredJob {
  for (const { key } of map.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!FIELDS.includes(name)) yaml.fail(offsetOf(key as Node), `unknown field ${name.slice(0, 40)}; the fields are ${FIELDS.join(', ')}${meant(nearest(name, FIELDS, 3))}`);
  }
  const field = (name: string) => yaml.resolved(map.get(name, true));
  const textOf = (name: string, standard?: string) => {
    const node = field(name);
    if (isScalar(node) && node.value !== null && String(node.value) !== '') return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    if (node === undefined && standard !== undefined) return standard;
    return yaml.fail(offsetOf(node ?? map), `${name}: expected a text; a job is declared as ${DECLARED_EXAMPLE}`);
  };
  const choiceOf = <T extends string>(name: string, choices: readonly T[], standard: T): T => {
    const text = textOf(name, standard);
    return choices.find((choice) => choice === text) ?? yaml.fail(offsetOf(field(name)), `${name}: expected ${choices.join(', ')}${meant(nearest(text, choices, 3))}`);
  };
  const durationOf = (name: string): Duration => {
    const text = textOf(name);
    try {
      if (durationMs(text as Duration) > 0) return text as Duration;
    } catch (error) {
      if (!(error instanceof LocketArgumentError)) throw error;
    }
    return yaml.fail(offsetOf(field(name)), `${name}: expected a duration with its unit, such as 15s`);
  };
  const name = textOf('name');
  const { line, column } = yaml.place(offsetOf(map));
  const declared: DeclaredJob = {
    name,
    where: `${yaml.file}:${line}:${column}`,
    key: textOf('key', name),
    kind: choiceOf('kind', KINDS as readonly DeclaredJob['kind'][], 'lock'),
    runner: choiceOf('runner', RUNNERS as readonly RunnerName[], 'upstream'),
    ttl: durationOf('ttl'),
    retryInterval: durationOf('retry_interval'),
  };
  if (durationMs(declared.ttl) % 1000 !== 0) yaml.fail(offsetOf(field('ttl')), 'ttl: expected whole seconds, such as 15s');
  return declared;
}
