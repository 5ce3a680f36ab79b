// The options of a question: settings of runners, faults, and the property.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Duration } from 'locket-wasm';
import type { Bounds, Property, Question } from 'locket-wasm/check';
import type { Faults } from 'locket-wasm/types';

import { duration, EXIT_USAGE, Failure, PROGRAM, wholeNumber, wholeNumberOrAny } from './command.js';
import { CLIENTS_SEARCHED_MAX } from './constants.js';
import { faultOption } from './faults.js';
import { GUARDS, PROPERTIES, RUNNERS } from './question-options.js';
import { ruleIn } from './scenario-file.js';
import { rarely } from './short-help.js';

/** The values of the options. */
export interface QuestionOptions extends Omit<Bounds, 'faults'> {
  fault?: Faults;
  kind?: 'lock' | 'presence';
  margin?: Duration;
  firstAttemptDeadline?: true;
  sameOwner?: true;
  clients?: number | 'any';
  property?: PropertyName;
  storage?: Question['storage'];
  allow?: Duration;
  profile?: 'documented' | 'upstream';
  processes?: number;
  grid?: Duration;
  maxStates?: number;
}

type PropertyName = Exclude<Property['is'], 'own'>;

/** The options of bounds, as programs name them. */
export const BOUNDS_TAKE: readonly string[] = ['databaseLatency', 'fault', 'grid', 'kind', 'latency', 'maxStates', 'processes', 'profile', 'transactionTime'];

/** The options of a question without TTL and retry interval. */
export const QUESTION_TAKES: readonly string[] = [...BOUNDS_TAKE, 'allow', 'clients', 'drift', 'firstAttemptDeadline', 'margin', 'property', 'sameOwner', 'storage'];

/** The option for runners: names, files with rules, or jobs of releases, of which the package has the table. */
export function runnerOption(flags: string, description: string): Option {
  const option = new Option(flags, `${description}, rule.json, or a job: diego-bbs@2.102.0`).choices(RUNNERS);
  return option.argParser((value: string, previous: unknown) => {
    const runner = value.endsWith('.json') ? ruleIn(value) : value;
    if (runner === value && !value.includes('@') && !RUNNERS.includes(value)) throw new InvalidArgumentError(`expected ${RUNNERS.join(', ')}, a file such as rule.json, or a job or library with its version, such as etcd-session@084a0ff2`);
    return option.variadic && Array.isArray(previous) ? [...previous, runner] : option.variadic ? [runner] : runner;
  });
}

/** What reports call a runner. */
export const runnerName = (runner: NonNullable<Question['runner']>): string => (typeof runner === 'string' ? runner : (runner.name ?? 'own rule'));

/** Adds the options for the bounds and for the Locket. */
export function withBounds(command: Command): Command {
  return command
    .option('--latency <duration>', 'the longest latency of a message; 1s by default', duration)
    .addOption(faultOption((text) => command.configureOutput().writeOut?.(text)))
    .addOption(rarely(new Option('--database-latency <duration>', 'the longest latency of a query and of its reply; 0s by default').argParser(duration)))
    .addOption(rarely(new Option('--transaction-time <duration>', 'the longest time that a transaction holds its row while others wait; 0s by default').argParser(duration)))
    .addOption(new Option('--profile <name>', 'the Locket: documented (default), or upstream').choices(['documented', 'upstream']))
    .option('--processes <count>', 'the number of Locket processes', wholeNumber)
    .addOption(rarely(new Option('--kind <kind>', 'the kind of resource; lock by default').choices(['lock', 'presence'])))
    .addOption(rarely(new Option('--max-states <count>', 'the most states to search').argParser(wholeNumber)))
    .addOption(rarely(new Option('--grid <duration>', 'the step of time; the default divides all durations, which is exact').argParser(duration)));
}

/** Adds the options for clients and for the property. */
export function withQuestion(command: Command): Command {
  return withBounds(command)
    .option('--clients <count>', 'how many clients compete, or any; 2 by default', wholeNumberOrAny)
    .addOption(rarely(new Option('--same-owner', 'give all clients the same owner string, like processes with the same configuration')))
    .addOption(rarely(new Option('--margin <duration>', 'how long before the end of the TTL a safe runner stops; 1s by default').argParser(duration)))
    .addOption(rarely(new Option('--first-attempt-deadline', "give the first attempt a deadline; upstream's has none")))
    .addOption(new Option('--property <name>', 'the property to check').choices(PROPERTIES).default(undefined, 'one-owner, or no-wrong-write with a storage'))
    .addOption(rarely(new Option('--storage <guard>', `the storage that holders write to, for no-wrong-write: ${GUARDS.join(', ')}, with a comma and the longest write, or any: owner,2s`).argParser(storage)))
    .option('--allow <duration>', 'how long the property may be violated at most', duration);
}

/** The question of the options, without TTL and retry interval. */
export function questionOf(command: string, options: QuestionOptions): Omit<Question, 'retryInterval' | 'ttl'> {
  const { property, allow, clients, fault } = options;
  const same = Object.fromEntries(Object.entries(options).filter(([name]) => QUESTION_TAKES.includes(name) && !OF_OTHER_NAMES.has(name)));
  return {
    ...same,
    ...(fault !== undefined && { faults: fault }),
    ...(clients !== undefined && { clients: listed(command, clients) }),
    ...((property ?? allow) !== undefined && { property: propertyOf(command, property ?? 'one-owner', allow) }),
  };
}

function storage(text: string): Question['storage'] {
  const [guard = '', longest, ...rest] = text.split(',');
  if (!GUARDS.includes(guard) || rest.length > 0) throw new InvalidArgumentError(`expected ${GUARDS.join(', ')}, perhaps with a comma and the longest write, such as owner,2s`);
  const writeLatency = longest === undefined || longest === 'any' ? longest : duration(longest);
  return { guard: guard as Guard, ...(writeLatency !== undefined && { writeLatency }) };
}

type Guard = NonNullable<Question['storage']>['guard'];

/** The options that are no member of a question with the same name and value. */
const OF_OTHER_NAMES = new Set(['allow', 'clients', 'fault', 'maxStates', 'property']);

function listed(command: string, count: number | 'any'): object[] | 'any' {
  if (count === 'any') return count;
  if (count > CLIENTS_SEARCHED_MAX) throw new Failure(EXIT_USAGE, `--clients: expected 1 to ${CLIENTS_SEARCHED_MAX}; see ${PROGRAM} ${command} --help`);
  return Array.from({ length: count }, () => ({}));
}

function propertyOf(command: string, is: PropertyName, allow: Duration | undefined): Property {
  if (is === 'one-owner') return allow === undefined ? { is } : { is, allow };
  const takesNothing = is === 'false-loss' || is === 'no-wrong-write';
  if (takesNothing && allow === undefined) return { is };
  if (!takesNothing && allow !== undefined) return { is, allow };
  const problem = takesNothing ? 'takes no --allow; leave it out' : 'needs --allow, the longest time to allow, such as --allow 20s';
  throw new Failure(EXIT_USAGE, `--property ${is} ${problem}; see ${PROGRAM} ${command} --help`);
}

/** The option of each field of a question, where the names differ. */
export const OPTION_OF_FIELD = {
  runner: '--runner',
  ttl: '--ttl',
  retryInterval: '--retry-interval',
  'property.allow': '--allow',
  property: '--allow',
};
