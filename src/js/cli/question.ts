// The options that say what is asked: settings of runners, what may go wrong, and what must never happen.

import { type Command, Option } from 'commander';

import type { Property, Question, QuestionRunner } from '../check-node.js';
import { duration, EXIT_USAGE, Failure, PROGRAM, wholeNumber } from './command.js';

/** What the options give. */
export interface QuestionOptions {
  kind?: 'lock' | 'presence';
  margin?: string;
  firstAttemptDeadline?: true;
  clients?: number;
  delay?: string;
  losses?: number;
  duplicates?: number;
  partition?: string;
  partitions?: number;
  pause?: string;
  pauses?: number;
  crashes?: number;
  restarts?: number;
  stops?: number;
  locketCrashes?: number;
  locketDown?: string;
  locketPause?: string;
  locketPauses?: number;
  stall?: string;
  stalls?: number;
  lostAnswers?: number;
  failovers?: number;
  failoverCommits?: number;
  evictions?: number;
  property: PropertyName;
  within?: string;
  profile?: 'documented' | 'upstream';
  processes?: number;
  grid?: string;
  maxStates?: number;
}

export const RUNNERS: QuestionRunner[] = ['cloud-controller', 'safe', 'upstream', 'upstream-before-2025-10'];
/** A property of the user's own takes a function, so it is for programs. */
const PROPERTIES: PropertyName[] = ['one-owner', 'false-loss', 'handover', 'owned', 'presence-gap', 'row-agrees'];
type PropertyName = Exclude<Property['is'], 'own'>;

/** Those that take a count. */
const NUMBERS: [flags: string, meaning: string][] = [
  ['--losses <count>', 'how many messages may be lost'],
  ['--duplicates <count>', 'how many messages may arrive twice'],
  ['--partitions <count>', 'how often a link between a client and Locket may be cut; one with --partition'],
  ['--pauses <count>', 'how many pauses of clients there may be; one with --pause'],
  ['--crashes <count>', 'how often a client may crash'],
  ['--restarts <count>', 'how often one that is down may start again'],
  ['--stops <count>', 'how often a client may be told to stop'],
  ['--locket-crashes <count>', 'how often a Locket process may crash'],
  ['--locket-pauses <count>', 'how often a Locket process may be paused; once with --locket-pause'],
  ['--stalls <count>', 'how often the database may stall; once with --stall'],
  ['--lost-answers <count>', 'how many answers of the database may be lost'],
  ['--failovers <count>', 'how often the database may fail over'],
  ['--failover-commits <count>', 'how many commits it loses then; one by default'],
  ['--evictions <count>', 'how often an operator may delete the row'],
  ['--processes <count>', 'how many Locket processes there are'],
  ['--max-states <count>', 'after how many states to give up'],
];

/** Gives a command the options that say what may go wrong. */
export function withBounds(command: Command): Command {
  command
    .option('--delay <duration>', 'how long a message may take, such as 2s or 250ms; 1s by default', duration)
    .option('--partition <duration>', 'how long a link between a client and Locket may be cut', duration)
    .option('--pause <duration>', 'how long a client may be paused; it counts as an owner meanwhile', duration)
    .option('--locket-pause <duration>', 'how long a Locket process may be paused', duration)
    .option('--stall <duration>', 'how long the database may answer nothing', duration)
    .option('--locket-down <duration>', 'how long a Locket process is down after a crash, at most', duration);
  for (const [flags, meaning] of NUMBERS) command.option(flags, meaning, wholeNumber);
  return command
    .addOption(new Option('--kind <kind>', 'what runners want').choices(['lock', 'presence']))
    .addOption(new Option('--profile <name>', 'which Locket it is').choices(['documented', 'upstream']))
    .option('--grid <duration>', 'the step of time; by default one that divides all times, which is exact', duration);
}

/** And those that say about whom, and what must not happen. */
export function withQuestion(command: Command): Command {
  return withBounds(command)
    .option('--clients <count>', 'how many runners want the key; two by default', wholeNumber)
    .option('--margin <duration>', 'how long before the end of its lease a safe runner stops', duration)
    .option('--first-attempt-deadline', "give the first attempt a deadline, which upstream's has not")
    .addOption(new Option('--property <name>', 'what must never break').choices(PROPERTIES).default('one-owner'))
    .option('--within <duration>', 'how long that may last which the property forbids', duration);
}

/** The question that options ask, but for lease and retry interval. */
export function questionOf(command: string, options: QuestionOptions): Omit<Question, 'retryIntervalMs' | 'retrySeconds' | 'ttlSeconds'> {
  const { property, within, clients, maxStates: _, ...rest } = options;
  return {
    ...rest,
    ...(clients !== undefined && { clients: listed(command, clients) }),
    property: propertyOf(command, property, within),
  };
}

function listed(command: string, count: number): object[] {
  if (count > 4) throw new Failure(EXIT_USAGE, `--clients: expected 1 to 4; see ${PROGRAM} ${command} --help`);
  return Array.from({ length: count }, () => ({}));
}

function propertyOf(command: string, is: PropertyName, within: string | undefined): Property {
  if (is === 'one-owner') return within === undefined ? { is } : { is, tolerated: within };
  if (is === 'false-loss' && within === undefined) return { is };
  if (is !== 'false-loss' && within !== undefined) return { is, within };
  const problem = is === 'false-loss' ? 'takes no --within' : 'needs --within, the time after which it is broken';
  throw new Failure(EXIT_USAGE, `--property ${is} ${problem}; see ${PROGRAM} ${command} --help`);
}

/** From which option a member of a question comes, where the names differ. */
export const OPTION_OF_FIELD = {
  ttlSeconds: '--ttl',
  retryIntervalMs: '--retry',
  retrySeconds: '--retry',
  'property.within': '--within',
  'property.tolerated': '--within',
  property: '--within',
};
