// The options of a question: settings of runners, faults, and the property.

import { type Command, Option } from 'commander';

import type { Duration, RunnerName } from '../node.js';
import type { Property, Question } from '../check-node.js';
import { duration, EXIT_USAGE, Failure, PROGRAM, wholeNumber } from './command.js';

/** The values of the options. */
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
/** A custom property is a function, so only programs can pass one. */
const PROPERTIES: PropertyName[] = ['one-owner', 'false-loss', 'handover', 'acquired', 'presence-gap', 'belief-matches-row'];
type PropertyName = Exclude<Property['is'], 'own'>;

/** Options with a count. */
const NUMBERS: [flags: string, meaning: string][] = [
  ['--lost-messages <count>', 'how many messages may be lost'],
  ['--duplicates <count>', 'how many messages may arrive twice'],
  ['--partitions <count>', 'how often a link between a client and Locket may be cut; 1 with --partition'],
  ['--pauses <count>', 'how often a client may be paused; 1 with --pause'],
  ['--crashes <count>', 'how often a client may crash'],
  ['--restarts <count>', 'how often a crashed client may start again'],
  ['--stops <count>', 'how often a client may be stopped'],
  ['--locket-crashes <count>', 'how often a Locket process may crash'],
  ['--locket-pauses <count>', 'how often a Locket process may be paused; 1 with --locket-pause'],
  ['--stalls <count>', 'how often the database may stall; 1 with --stall'],
  ['--lost-replies <count>', 'how many database replies may be lost'],
  ['--failovers <count>', 'how often the database may fail over'],
  ['--lost-commits <count>', 'how many commits a failover may lose; 1 by default'],
  ['--row-deletions <count>', 'how often an operator may delete the row'],
  ['--processes <count>', 'the number of Locket processes'],
  ['--max-states <count>', 'the most states to search'],
];

/** Adds the options for faults. */
export function withBounds(command: Command): Command {
  command
    .option('--latency <duration>', 'how long a message may take, such as 2s or 250ms; 1s by default', duration)
    .option('--partition <duration>', 'how long a link between a client and Locket may be cut', duration)
    .option('--pause <duration>', 'how long a client may be paused; a paused holder counts as an owner', duration)
    .option('--locket-pause <duration>', 'how long a Locket process may be paused', duration)
    .option('--stall <duration>', 'how long the database may stall', duration)
    .option('--locket-downtime <duration>', 'how long a Locket process may be down after a crash', duration);
  for (const [flags, meaning] of NUMBERS) command.option(flags, meaning, wholeNumber);
  return command
    .addOption(new Option('--kind <kind>', 'the kind of resource; lock by default').choices(['lock', 'presence']))
    .addOption(new Option('--profile <name>', 'the Locket: documented (default), or upstream (the shipped one)').choices(['documented', 'upstream']))
    .option('--grid <duration>', 'the step of time; by default it divides all durations, which is exact', duration);
}

/** Adds the options for clients and for the property. */
export function withQuestion(command: Command): Command {
  return withBounds(command)
    .option('--clients <count>', 'how many runners compete for the key; 2 by default', wholeNumber)
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

function listed(command: string, count: number): object[] {
  if (count > 4) throw new Failure(EXIT_USAGE, `--clients: expected 1 to 4; see ${PROGRAM} ${command} --help`);
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
  ttl: '--ttl',
  retryInterval: '--retry-interval',
  'property.allow': '--allow',
  property: '--allow',
};
