// Whether healthy owners keep what they hold while Locket restarts, a deploy rolls, or the database
// fails over or stalls: the questions for searches, and their answers. Clients have no faults here.

import { type Exploration, explore, type Property, type Question, type Verdict } from '../check-node.js';
import type { StoryLine, WhyUnknown } from '../types.js';
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
  verdict: Verdict;
  /**
   * The reason of an unknown verdict. `not-rolling`: the schedule found restarts a process twice, or
   * has two processes down at the same time.
   */
  because: WhyUnknown | 'not-rolling' | null;
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
  /** The jobs of manifests with these settings. */
  jobs: string[];
  checks: AvailabilityCheck[];
}

/** The events in the order of their report. */
export const EVENT_NAMES: Record<AvailabilityEvent, string> = {
  restart: 'A Locket process restarts',
  'rolling-deploy': 'A rolling deploy restarts each Locket process, at worst by a crash',
  failover: 'The database fails over',
  stall: 'The database stalls',
};

/** The most states of each search, so that all of them take seconds. */
const STATES_MAX = 300_000;
const DOWNTIME = '5s';
const STALL = '10s';
const PROCESSES_OF_DEPLOY = 2;
/** The most steps of a reason. */
const STEPS_MAX = 5;

/** Options of {@link availabilityOf}. */
interface AvailabilityOptions {
  maxStates?: number | undefined;
  onEvent: (event: AvailabilityEvent) => void;
}

/** Asks about each event with the settings of a question, whose latency, Locket and database faults count. */
export async function availabilityOf(question: Question, { maxStates = STATES_MAX, onEvent }: AvailabilityOptions): Promise<AvailabilityCheck[]> {
  const checks: AvailabilityCheck[] = [];
  for (const [event, asked] of questionsOf(question)) {
    onEvent(event);
    checks.push(await check(event, asked, maxStates));
  }
  return checks;
}

/** A question about one of the properties. */
type Asked = Omit<Question, 'property'> & { property: Extract<Property, { is: AvailabilityCheck['property'] }> };

function questionsOf(question: Question): [AvailabilityEvent, Asked][] {
  const settings = settingsOf(question);
  const alone: Asked = { ...settings, clients: [{}], property: { is: 'false-loss' } };
  const safety = safetyOf(question);
  // Two owners need a second client. Beside it, each restart of a rolling deploy multiplies the states.
  const safe: Asked | null = safety.is === 'presence-gap' ? { ...alone, property: safety } : question.clients?.length === 1 ? null : { ...settings, property: safety };
  return (Object.keys(EVENT_NAMES) as AvailabilityEvent[]).flatMap((event) => {
    const isAsked = safe !== null && (safety.is === 'presence-gap' || event !== 'rolling-deploy');
    return [alone, ...(isAsked ? [safe] : [])].map((it): [AvailabilityEvent, Asked] => [event, { ...it, ...faultsOf(event, question) }]);
  });
}

/** The members of a question that are no fault and no property. A search is exact without a grid. */
function settingsOf({ runner, kind, profile, processes, ttl, retryInterval, margin, firstAttemptDeadline, latency, clients }: Question): Omit<Question, 'property'> {
  const all = { runner, kind, profile, processes, ttl, retryInterval, margin, firstAttemptDeadline, latency, clients };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function safetyOf({ kind, property }: Question): Asked['property'] {
  if (kind === 'presence') return property?.is === 'presence-gap' ? property : { is: 'presence-gap', allow: '0s' };
  return property?.is === 'one-owner' ? property : { is: 'one-owner' };
}

function faultsOf(event: AvailabilityEvent, { processes = 1, locketCrashes, locketDowntime = DOWNTIME, failovers, lostCommits, stalls, stall = STALL }: Question): Omit<Question, 'property'> {
  const deployed = Math.max(processes, PROCESSES_OF_DEPLOY);
  return {
    restart: { locketCrashes: locketCrashes ?? 1, locketDowntime },
    'rolling-deploy': { processes: deployed, locketCrashes: deployed, locketDowntime },
    failover: { failovers: failovers ?? 1, lostCommits: lostCommits ?? 1 },
    stall: { stalls: stalls ?? 1, stall },
  }[event];
}

async function check(event: AvailabilityEvent, question: Asked, maxStates: number): Promise<AvailabilityCheck> {
  const { verdict, because, summary, bounds, scenario, story, states } = await explore(question, { maxStates, longest: false });
  // A search may restart one process twice, and so its counterexample proves nothing about a rolling deploy.
  const isOther = event === 'rolling-deploy' && scenario !== null && !isRolling(scenario);
  return {
    event,
    property: question.property.is,
    verdict: isOther ? 'unknown' : verdict,
    because: isOther ? 'not-rolling' : because,
    summary,
    bounds,
    states,
    steps: decisive(story),
    command: exploreCommandOf(question, ['--first']),
  };
}

/** Whether each process crashes once at most, and only while all others run. */
function isRolling(scenario: string): boolean {
  const { actions } = JSON.parse(scenario) as { actions: { do: string; node: string }[] };
  const crashed = new Set<string>();
  const down = new Set<string>();
  for (const { do: action, node } of actions) {
    if (action === 'start') down.delete(node);
    if (action !== 'crash') continue;
    if (crashed.has(node) || down.size > 0) return false;
    crashed.add(node);
    down.add(node);
  }
  return true;
}

/** The kinds of decisive steps, the most decisive first. */
const DECISIVE: readonly NonNullable<StoryLine['kind' | 'runner']>[][] = [
  ['lost'],
  ['crashed', 'failed-over', 'stalled', 'expired', 'row-deleted'],
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
