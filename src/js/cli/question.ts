// The options that say what is asked: settings of runners, what may go wrong, and what must never happen.

import { type Command, Option } from 'commander';

import type { Duration } from '../node.js';
import type { Bounds, Property, Question } from '../check-node.js';
import { duration, EXIT_USAGE, Failure, PROGRAM, wholeNumber } from './command.js';
import { BOUND_OPTIONS, PROPERTIES } from './question-options.js';

/** What the options give. */
export interface QuestionOptions extends Bounds {
  kind?: 'lock' | 'presence';
  margin?: Duration;
  firstAttemptDeadline?: true;
  clients?: number;
  property: PropertyName;
  allow?: Duration;
  profile?: 'documented' | 'upstream';
  processes?: number;
  grid?: Duration;
  maxStates?: number;
}

type PropertyName = Exclude<Property['is'], 'own'>;

/** Gives a command the options that say what may go wrong. */
export function withBounds(command: Command): Command {
  for (const [flags, kind, meaning] of BOUND_OPTIONS) command.option<unknown>(flags, meaning, kind === 'count' ? wholeNumber : duration);
  return command
    .addOption(new Option('--kind <kind>', 'what runners want; a lock by default').choices(['lock', 'presence']))
    .addOption(new Option('--profile <name>', 'which Locket it is: documented (default), or upstream, the one that ships').choices(['documented', 'upstream']))
    .option('--processes <count>', 'how many Locket processes there are', wholeNumber)
    .option('--max-states <count>', 'after how many states to give up', wholeNumber)
    .option('--grid <duration>', 'the step of time; by default one that divides all times, which is exact', duration);
}

/** And those that say about whom, and what must not happen. */
export function withQuestion(command: Command): Command {
  return withBounds(command)
    .option('--clients <count>', 'how many runners want the key; two by default', wholeNumber)
    .option('--margin <duration>', 'how long before the end of its lease a safe runner stops; 1s by default, less for a short lease', duration)
    .option('--first-attempt-deadline', "give the first attempt a deadline, which upstream's has not")
    .addOption(new Option('--property <name>', 'what must never break').choices(PROPERTIES).default('one-owner'))
    .option('--allow <duration>', 'how long that may last which the property forbids', duration);
}

/** The question that options ask, but for lease and retry interval. */
export function questionOf(command: string, options: QuestionOptions): Omit<Question, 'retryInterval' | 'ttl'> {
  const { property, allow, clients, maxStates: _, ...rest } = options;
  return {
    ...rest,
    ...(clients !== undefined && { clients: listed(command, clients) }),
    property: propertyOf(command, property, allow),
  };
}

function listed(command: string, count: number): object[] {
  if (count > 4) throw new Failure(EXIT_USAGE, `--clients: expected 1 to 4; see ${PROGRAM} ${command} --help`);
  return Array.from({ length: count }, () => ({}));
}

function propertyOf(command: string, is: PropertyName, allow: Duration | undefined): Property {
  if (is === 'one-owner') return allow === undefined ? { is } : { is, allow };
  if (is === 'false-loss' && allow === undefined) return { is };
  if (is !== 'false-loss' && allow !== undefined) return { is, allow };
  const problem = is === 'false-loss' ? 'takes no --allow' : 'needs --allow, the time after which it is broken';
  throw new Failure(EXIT_USAGE, `--property ${is} ${problem}; see ${PROGRAM} ${command} --help`);
}

/** From which option a member of a question comes, where the names differ. */
export const OPTION_OF_FIELD = {
  ttl: '--ttl',
  retryInterval: '--retry-interval',
  'property.allow': '--allow',
  property: '--allow',
};
