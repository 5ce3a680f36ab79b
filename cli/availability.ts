// Whether healthy owners keep what they hold while Locket restarts, a deploy rolls, or the database
// fails over or stalls: the questions for searches, and their answers. Clients have no faults here.

import { type Exploration, explore, type Property, type Question, type Verdict } from 'locket-wasm/check';
import type { StoryLine, WhyUnknown } from 'locket-wasm/types';

import { PROCESSES_SEARCHED_MAX } from './constants.js';
import { exploreCommandOf } from './question-command.js';

/** An event in operations. */
export type AvailabilityEvent = 'failover' | 'restart' | 'rolling-deploy' | 'stall';

/** The answer to one question: an event and a property. */
export interface AvailabilityCheck {
  event: AvailabilityEvent;
  /**
   * The property that is broken if an owner gives up while the row is its own (`false-loss`), two
   * owners exist at the same time (`one-owner`), or a presence has no row (`presence-gap`).
   */
  property: 'false-loss' | 'one-owner' | 'presence-gap';
  /** The number of Locket processes in the search. */
  processes: number;
  verdict: Verdict;
  /** The reason of an unknown verdict. */
  because: WhyUnknown | null;
  /** The verdict of the search, with its bounds. */
  summary: string;
  /** The bounds, as a sentence. */
  bounds: string;
  /** The number of different states found. */
  states: number;
  /** The decisive steps of the counterexample, in their order; none without one. */
  steps: StoryLine[];
  /** The command that asks again, up to more states, and prints the whole counterexample. */
  command: string;
}

/** The answers for one combination of settings. */
export interface Availability {
  /** The settings, as a sentence. */
  settings: string;
  /** Whether these settings are in use, or the cheapest safe ones that advice offers instead. */
  of: 'asked' | 'alternative';
  /** The jobs of manifests with these settings. */
  jobs: string[];
  checks: AvailabilityCheck[];
}

/** The events in the order of their report. */
export const EVENT_NAMES: Record<AvailabilityEvent, string> = {
  restart: 'A Locket process crashes and restarts',
  'rolling-deploy': 'A rolling deploy drains and restarts each Locket process in turn',
  failover: 'The database fails over',
  stall: 'The database stalls',
};

/** The most states of each search, so that all of them take seconds. */
const STATES_MAX = 500_000;
const DOWNTIME = '5s';
const STALL = '10s';
const PROCESSES_OF_DEPLOY = 2;
/** The most Locket processes of a search with two clients within its states. */
const PROCESSES_OF_TWO_MAX = 2;
/** The most steps of a reason. */
const STEPS_MAX = 5;

/** Options of {@link availabilityOf}. */
interface AvailabilityOptions {
  maxStates?: number | undefined;
  onEvent: (event: AvailabilityEvent) => void;
}

/** Asks about each event with the settings of a question, whose latency, processes, Locket and database faults count. */
export async function availabilityOf(question: Question, { maxStates = STATES_MAX, onEvent }: AvailabilityOptions): Promise<AvailabilityCheck[]> {
  const checks: AvailabilityCheck[] = [];
  for (const [event, asked] of questionsOf(question)) {
    onEvent(event);
    checks.push(await check(event, asked, maxStates));
  }
  return checks;
}

/** A question about one of the properties. */
type Asked = Omit<Question, 'processes' | 'property'> & { processes: number; property: Extract<Property, { is: AvailabilityCheck['property'] }> };

function questionsOf(question: Question): [AvailabilityEvent, Asked][] {
  const settings = settingsOf(question);
  const safety = safetyOf(question);
  return (Object.keys(EVENT_NAMES) as AvailabilityEvent[]).flatMap((event) => {
    const processes = Math.min(question.processes ?? (event === 'rolling-deploy' ? PROCESSES_OF_DEPLOY : 1), PROCESSES_SEARCHED_MAX);
    const alone: Asked = { ...settings, processes, clients: [{}], property: { is: 'false-loss' } };
    const asked = [alone];
    // During a stall, what each process waits for multiplies the states.
    const few = (most: number) => Math.min(processes, event === 'stall' ? 1 : most);
    if (safety.is === 'presence-gap') asked.push({ ...alone, processes: few(PROCESSES_SEARCHED_MAX), property: safety });
    // Two owners need a second client, whose states multiply those of each process.
    else if (question.clients?.length !== 1) asked.push({ ...settings, processes: few(PROCESSES_OF_TWO_MAX), property: safety });
    return asked.map((it): [AvailabilityEvent, Asked] => [event, { ...it, ...faultsOf(event, it.processes, question) }]);
  });
}

/** The members of a question that are no fault and no property. A search is exact without a grid. */
function settingsOf({ runner, kind, profile, ttl, retryInterval, margin, firstAttemptDeadline, latency, clients }: Question): Omit<Question, 'property'> {
  const all = { runner, kind, profile, ttl, retryInterval, margin, firstAttemptDeadline, latency, clients };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function safetyOf({ kind, property }: Question): Asked['property'] {
  if (kind === 'presence') return property?.is === 'presence-gap' ? property : { is: 'presence-gap', allow: '0s' };
  return property?.is === 'one-owner' ? property : { is: 'one-owner' };
}

type Faults = Pick<Question, 'failovers' | 'locketCrashes' | 'locketDowntime' | 'lostCommits' | 'stall' | 'stalls'>;

function faultsOf(event: AvailabilityEvent, processes: number, { locketCrashes, locketDowntime = DOWNTIME, failovers, lostCommits, stalls, stall = STALL }: Faults): Omit<Question, 'property'> {
  return {
    restart: { locketCrashes: locketCrashes ?? 1, locketDowntime },
    'rolling-deploy': { locketDrains: processes, locketDowntime },
    failover: { failovers: failovers ?? 1, lostCommits: lostCommits ?? 1 },
    stall: { stalls: stalls ?? 1, stall },
  }[event];
}

async function check(event: AvailabilityEvent, question: Asked, maxStates: number): Promise<AvailabilityCheck> {
  const { verdict, because, summary, bounds, story, states } = await explore(question, { maxStates, longest: false });
  const { processes, property } = question;
  return { event, property: property.is, processes, verdict, because, summary, bounds, states, steps: decisive(story), command: exploreCommandOf(question, ['--first']) };
}

/** The kinds of decisive steps, the most decisive first. */
const DECISIVE: readonly NonNullable<StoryLine['kind' | 'runner']>[][] = [
  ['lost'],
  ['crashed', 'stopped', 'failed-over', 'stalled', 'expired', 'row-deleted'],
  ['acquired'],
  ['answered', 'retrying'],
  ['started'],
];

/** The steps of a story that decide, in their order. */
function decisive(story: Exploration['story']): StoryLine[] {
  const ranked = (story?.lines ?? []).map((line) => ({ line, rank: DECISIVE.findIndex((kinds) => kinds.includes(line.runner ?? line.kind)) }));
  // Of equal rank, the later ones are nearer to the violation.
  const chosen = ranked.filter(({ rank }) => rank >= 0).reverse().sort((one, other) => one.rank - other.rank).slice(0, STEPS_MAX);
  return ranked.filter((one) => chosen.includes(one)).map(({ line }) => line);
}
