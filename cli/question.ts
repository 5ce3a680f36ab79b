// The options of a question: settings of runners, faults, and the property.

import { type Command, Option } from 'commander';
import type { Duration } from 'locket-wasm';
import type { Bounds, Property, Question } from 'locket-wasm/check';

import { duration, EXIT_USAGE, Failure, PROGRAM, wholeNumber, wholeNumberOrAny } from './command.js';
import { CLIENTS_SEARCHED_MAX } from './constants.js';
import { BOUND_OPTIONS, PROPERTIES } from './question-options.js';

/** The values of the options. */
export interface QuestionOptions extends Bounds {
  kind?: 'joint' | 'lock' | 'presence';
  keys?: string[];
  keyTimeout?: Duration;
  margin?: Duration;
  firstAttemptDeadline?: true;
  sameOwner?: true;
  clients?: number | 'any';
  property: PropertyName;
  allow?: Duration;
  profile?: 'documented' | 'upstream';
  processes?: number;
  grid?: Duration;
  maxStates?: number;
}

type PropertyName = Exclude<Property['is'], 'own'>;

/** Adds the options for faults. */
export function withBounds(command: Command): Command {
  for (const [flags, kind, meaning] of BOUND_OPTIONS) command.option<unknown>(flags, meaning, kind === 'count' ? wholeNumberOrAny : duration);
  return command
    .addOption(new Option('--kind <kind>', 'the kind of resource; lock by default').choices(['joint', 'lock', 'presence']))
    .option('--keys <key...>', 'the 2 keys of joint locks, in the order in which all runners take them')
    .option('--key-timeout <duration>', 'how long a joint lock waits for each key after the first; the TTL by default', duration)
    .addOption(new Option('--profile <name>', 'the Locket: documented (default), or upstream (the shipped one)').choices(['documented', 'upstream']))
    .option('--processes <count>', 'the number of Locket processes', wholeNumber)
    .option('--max-states <count>', 'the most states to search', wholeNumber)
    .option('--grid <duration>', 'the step of time; by default it divides all durations, which is exact', duration);
}

/** Adds the options for clients and for the property. */
export function withQuestion(command: Command): Command {
  return withBounds(command)
    .option('--clients <count>', 'how many runners compete for the key, 2 by default; any for a proof alone', wholeNumberOrAny)
    .option('--same-owner', 'all runners present the same owner string, as processes with the same configuration do')
    .option('--margin <duration>', 'how long before the end of its lease a safe runner stops; 1s by default', duration)
    .option('--first-attempt-deadline', "give the first attempt a deadline; upstream's has none")
    .addOption(new Option('--property <name>', 'the property to check').choices(PROPERTIES).default('one-owner'))
    .option('--allow <duration>', 'the longest violation of the property to allow', duration);
}

/** The question of the options, without lease and retry interval. */
export function questionOf(command: string, options: QuestionOptions): Omit<Question, 'retryInterval' | 'ttl'> {
  const { property, allow, clients, maxStates: _, ...rest } = options;
  return {
    ...rest,
    ...(clients !== undefined && { clients: listed(command, clients) }),
    property: propertyOf(command, property, allow),
  };
}

function listed(command: string, count: number | 'any'): object[] | 'any' {
  if (count === 'any') return count;
  if (count > CLIENTS_SEARCHED_MAX) throw new Failure(EXIT_USAGE, `--clients: expected 1 to ${CLIENTS_SEARCHED_MAX}; see ${PROGRAM} ${command} --help`);
  return Array.from({ length: count }, () => ({}));
}

function propertyOf(command: string, is: PropertyName, allow: Duration | undefined): Property {
  if (is === 'one-owner') return allow === undefined ? { is } : { is, allow };
  if (is === 'false-loss' && allow === undefined) return { is };
  if (is !== 'false-loss' && allow !== undefined) return { is, allow };
  const problem = is === 'false-loss' ? 'takes no --allow; leave it out' : 'needs --allow, the longest time to allow, such as --allow 20s';
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
