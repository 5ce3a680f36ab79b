// The options that say what is asked: settings of runners, what may go wrong, and what must never happen.

import { type Command, Option } from 'commander';

import type { Duration } from '../node.js';
import type { Property, Question } from '../check-node.js';
import type { RunnerName } from '../types.js';
import { duration, EXIT_USAGE, Failure, PROGRAM, wholeNumber } from './command.js';

/** What the options give. */
export interface QuestionOptions {
  kind?: 'lock' | 'presence';
  margin?: Duration;
  firstAttemptDeadline?: true;
  clients?: number;
  latency?: Duration;
  lostMessages?: number;
  duplicates?: number;
  partition?: Duration;
  partitions?: number;
  pause?: Duration;
  pauses?: number;
  crashes?: number;
  restarts?: number;
  stops?: number;
  locketCrashes?: number;
  locketDowntime?: Duration;
  locketPause?: Duration;
  locketPauses?: number;
  stall?: Duration;
  stalls?: number;
  lostReplies?: number;
  failovers?: number;
  lostCommits?: number;
  rowDeletions?: number;
  property: PropertyName;
  allow?: Duration;
  profile?: 'documented' | 'upstream';
  processes?: number;
  grid?: Duration;
  maxStates?: number;
}

export const RUNNERS: RunnerName[] = ['cloud-controller', 'safe', 'upstream', 'upstream-before-2025-10'];
/** A property of the user's own takes a function, so it is for programs. */
const PROPERTIES: PropertyName[] = ['one-owner', 'false-loss', 'handover', 'acquired', 'presence-gap', 'belief-matches-row'];
type PropertyName = Exclude<Property['is'], 'own'>;

/** Those that take a count. */
const NUMBERS: [flags: string, meaning: string][] = [
  ['--lost-messages <count>', 'how many messages may be lost'],
  ['--duplicates <count>', 'how many messages may arrive twice'],
  ['--partitions <count>', 'how often a link between a client and Locket may be cut; one with --partition'],
  ['--pauses <count>', 'how many pauses of clients there may be; one with --pause'],
  ['--crashes <count>', 'how often a client may crash'],
  ['--restarts <count>', 'how often one that is down may start again'],
  ['--stops <count>', 'how often a client may be told to stop'],
  ['--locket-crashes <count>', 'how often a Locket process may crash'],
  ['--locket-pauses <count>', 'how often a Locket process may be paused; once with --locket-pause'],
  ['--stalls <count>', 'how often the database may stall; once with --stall'],
  ['--lost-replies <count>', 'how many replies of the database may be lost'],
  ['--failovers <count>', 'how often the database may fail over'],
  ['--lost-commits <count>', 'how many commits it loses then; one by default'],
  ['--row-deletions <count>', 'how often an operator may delete the row'],
  ['--processes <count>', 'how many Locket processes there are'],
  ['--max-states <count>', 'after how many states to give up'],
];

/** Gives a command the options that say what may go wrong. */
export function withBounds(command: Command): Command {
  command
    .option('--latency <duration>', 'how long a message may take, such as 2s or 250ms; 1s by default', duration)
    .option('--partition <duration>', 'how long a link between a client and Locket may be cut', duration)
    .option('--pause <duration>', 'how long a client may be paused; it counts as an owner meanwhile', duration)
    .option('--locket-pause <duration>', 'how long a Locket process may be paused', duration)
    .option('--stall <duration>', 'how long the database may answer nothing', duration)
    .option('--locket-downtime <duration>', 'how long a Locket process is down after a crash, at most', duration);
  for (const [flags, meaning] of NUMBERS) command.option(flags, meaning, wholeNumber);
  return command
    .addOption(new Option('--kind <kind>', 'what runners want; a lock by default').choices(['lock', 'presence']))
    .addOption(new Option('--profile <name>', 'which Locket it is: documented (default), or upstream, the one that ships').choices(['documented', 'upstream']))
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
