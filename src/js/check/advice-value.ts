// Made of sim/answer.schema.json by `make docs`; do not edit.

import type { Question } from './question.js';
import type { RunnerName } from '../base/runner-name.js';
import type { Verdict, WhyUnknown, StoryLine } from './answer-value.js';

/** Advice about the settings of a question. */
export interface Advice {
  /** The job's settings from the manifest, if the question names a job; otherwise `null`. */
  bosh: BoshSettings | null;
  /** Whether the property of the question holds, as `explore` says. */
  verdict: Verdict;
  /**
   * For how many clients that verdict holds: `any`, each with an owner string of its own, or the
   * number of the question's clients.
   */
  clients: ('any' | 'any-without-shared-keys') | number;
  /** Whether an owner can lose its lock without a fault: `unsafe` if so. */
  falseLoss: Verdict;
  /** Both verdicts combined: the worse of the two. */
  overall: Verdict;
  /** The verdict in one line, with its bounds. */
  summary: string;
  /** The steps that lead to a bad verdict. */
  reasons: string[];
  /** How much longer a pause may be than in the question; `null` if the property already fails. */
  sparePauseMs: number | null;
  /** For how many clients the property holds with that pause. */
  sparePauseClients: (('any' | 'any-without-shared-keys') | number) | null;
  /**
   * Whether one more step of pause breaks the property. If not, no longer pause was tried, or a
   * search was cut.
   */
  isSparePauseExact: boolean;
  /**
   * The longest time without an owner after the holder crashed, with every message at its
   * latest; `null` if no other client waits, as for a presence.
   */
  handoverMaxMs: number | null;
  /** Whether a search has proved that bound. */
  isHandoverProved: boolean;
  /** The most renewals that each runner sends in an hour. */
  renewalsPerHour: number;
  /**
   * The nearest safe settings, one for each setting that can change; none if the question's own
   * are safe. The cheapest is first: by the time without an owner, then by the renewals.
   */
  alternatives: SafeSettings[];
  /** The settings that were tried, none of which is of use, as far as is known. */
  excluded: {
    /** The settings as a clause, with the bound beyond which none was tried. */
    summary: string;
    /**
     * Whether all of them are known to be of no use; otherwise a search was cut, or none proves
     * anything with such faults.
     */
    isKnown: boolean;
  }[];
  /** The advice as text for people. */
  text: string;
}

/** Settings that are safe and do not lose locks without a fault, with their cost. */
export interface SafeSettings {
  /** The runner. */
  runner: RunnerName;
  /** The TTL. */
  ttlMs: number;
  /** The retry interval. */
  retryIntervalMs: number;
  /**
   * For how many clients the property holds with them: `any`, or the number of the question's
   * clients.
   */
  clients: ('any' | 'any-without-shared-keys') | number;
  /**
   * The longest time without an owner after the holder crashed, with every message at its
   * latest; `null` if no other client waits, as for a presence.
   */
  handoverMaxMs: number | null;
  /** Whether a search has proved that bound. */
  isHandoverProved: boolean;
  /** The most renewals that each runner sends in an hour. */
  renewalsPerHour: number;
  /** Whether they can be set: a BOSH job may have fixed settings. */
  isSettable: boolean;
}

/** The cost of settings. */
export interface SettingsCost {
  /**
   * The longest time without an owner after the holder crashed, with every message at its
   * latest; `null` if no other client waits, as for a presence.
   */
  handoverMaxMs: number | null;
  /** Whether a search has proved that bound. */
  isHandoverProved: boolean;
  /** The most renewals that each runner sends in an hour. */
  renewalsPerHour: number;
}

/** The result for one pair of settings. Amounts are in the unit of the map's axis. */
export interface MapCell {
  /** The TTL. */
  ttlMs: number;
  /** The retry interval. */
  retryIntervalMs: number;
  /** The smallest amount that is known to break the property; `null` if none tried does. */
  breaksAt: number | null;
  /**
   * The largest amount with which no schedule that was tried breaks the property; `null` if not
   * even 0 is. It is safe within the bounds unless these say that it was tried in steps only.
   */
  safeUpTo: number | null;
  /**
   * For how many clients that holds: `any`, or the number of the question's clients; `null` if
   * nothing is known to be safe.
   */
  clients: (('any' | 'any-without-shared-keys') | number) | null;
  /** The reason, if the amounts between the two are unknown. */
  because: WhyUnknown | null;
  /** `breaksAt` by the closed formula, where it applies. */
  formula: number | null;
  /** The formula with its numbers filled in, where it applies. */
  formulaText: string | null;
  /** The number of states found. */
  states: number;
}

/** The results of a runner. */
export interface RunnerComparison {
  /** The runner. */
  runner: RunnerName;
  /** The reason, if a verdict is unknown: then a number that is `null` is unknown as well. */
  because: WhyUnknown | null;
  /** Its lease; the Cloud Controller's loop has its own. */
  ttlMs: number;
  /** Its retry interval; the Cloud Controller's loop has its own. */
  retryIntervalMs: number;
  /** Whether there can be two owners at the same time: `unsafe` if so. */
  twoOwners: Verdict;
  /** For how many clients that holds: `any`, or the number of the question's clients. */
  clients: ('any' | 'any-without-shared-keys') | number;
  /** The longest overlap of two owners; `null` if it exceeds four leases. */
  overlapMs: number | null;
  /**
   * The shortest pause that leads to two owners, with all else as asked; `null` if none up to
   * two leases does.
   */
  breakingPauseMs: number | null;
  /** Whether an owner gives up a lock that it still holds: `unsafe` if so. */
  falseLoss: Verdict;
  /**
   * The longest time without an owner after the holder crashed, with latency alone; `null` if it
   * exceeds four leases.
   */
  crashMs: number | null;
  /** The same after the holder was stopped. */
  stopMs: number | null;
}

/** The comparison of the runners. */
export interface Comparison {
  /** A row for each runner. */
  rows: RunnerComparison[];
  /** The heads of a table. */
  heads: string[];
  /** The cells of the table, row by row. */
  cells: string[][];
  /** The bounds of the columns about two owners and false loss, as a sentence. */
  bounds: string;
  /** The table as text, and the bounds. */
  text: string;
}

/** Settings that survive outages, with their cost. */
export interface SurvivingSettings {
  /** The settings. */
  settings: SafeSettings;
  /** Whether a second less of TTL is known to break, so that there is no shorter one. */
  isShortest: boolean;
}

/** A job that keeps a lock or a presence in Locket, with what is known of it. */
export interface BoshJob {
  /** The name of the job. */
  job: string;
  /** Its BOSH release. */
  release: string;
  /**
   * Whether it keeps a lock or a presence.
   *
   * * `lock`: A lock.
   * * `presence`: A presence.
   */
  kind: 'lock' | 'presence';
  /** The properties that affect the settings in some version, or seem to. */
  properties: string[];
  /** The facts by version, the oldest first. */
  rows: BoshRow[];
}

/** The facts about a job from one version of its release on. */
export interface BoshRow {
  /** The first version. */
  since: string;
  /** The day on which that version, or a deployment with it, was published. */
  date: string;
  /**
   * Where this is written: a repository of the organisation `cloudfoundry`, its file, and the
   * commit or tag.
   */
  source: string;
  /** Whether the first version follows only from dates. */
  isAssumed: boolean;
  /** The runner; `null` if something that decides is not known. */
  runner: RunnerName | null;
  /** The default lease; `null` if something that decides is not known. */
  ttlMs: number | null;
  /** The default retry interval; `null` if something that decides is not known. */
  retryIntervalMs: number | null;
  /** The fact that is not known; otherwise `null`. */
  unknown: string | null;
}

/** Locket in a version of diego, which has it. */
export interface BoshLocket {
  /** The version; `null` if the newest is assumed. */
  version: string | null;
  /** Whether that version has Locket. */
  isThere: boolean;
  /** Whether it undoes the work of a call whose caller gave up; `null` if that is not known. */
  cancels: boolean | null;
  /** The facts as a sentence. */
  summary: string;
}

/** The settings that survive outages. */
export interface Survival {
  /** The latency and the outages, as a sentence. */
  bounds: string;
  /**
   * The settings that survive, of which no other costs less in both ways. The cheapest is first:
   * by the time without an owner, then by the renewals.
   */
  settings: SurvivingSettings[];
  /**
   * The settings that do not survive, with the reason: a runner, a retry interval and the
   * longest TTL that was tried.
   */
  impossible: {
    /** The settings as a clause, with the bound beyond which none was tried. */
    summary: string;
    /**
     * Whether all of them are known to be of no use; otherwise a search was cut, or none proves
     * anything with such faults.
     */
    isKnown: boolean;
  }[];
  /** The result as text for people. */
  text: string;
  /**
   * The costs of the settings as an SVG picture; `null` if fewer than two survive, or have no
   * other owner.
   */
  svg: string | null;
}

/**
 * An event in operations.
 *
 * * `restart`: A Locket process crashes and restarts.
 * * `rolling-deploy`: Each Locket process drains and restarts, one after the other.
 * * `failover`: The database fails over.
 * * `stall`: The database stalls.
 */
export type AvailabilityEvent = 'restart' | 'rolling-deploy' | 'failover' | 'stall';

/** The answer to one of the questions. */
export interface AvailabilityCheck {
  /** The event. */
  event: AvailabilityEvent;
  /**
   * The property.
   *
   * * `false-loss`: It is broken if an owner gives up while the row is its own.
   * * `one-owner`: It is broken if two owners exist at the same time.
   * * `presence-gap`: It is broken if a presence has no row.
   */
  property: 'false-loss' | 'one-owner' | 'presence-gap';
  /** The number of Locket processes in the search. */
  processes: number;
  /** The verdict. */
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
  /** The question that was asked, for `explore`. */
  question: Question;
}

/** A job without settings to ask about. */
export interface BoshAbsence {
  /** Why there are none. */
  state: 'before-locket' | 'off' | 'unknown';
  /** The name of the job. */
  job: string;
  /** Its BOSH release. */
  release: string;
  /** The version of that release; `null` if the newest is assumed. */
  version: string | null;
  /** The property that turns the lock or presence off; otherwise `null`. */
  property: string | null;
  /** The reason, as a sentence. */
  summary: string;
}

/** A job's settings, as its manifest sets them. */
export interface BoshSettings {
  /** It keeps a lock or presence. */
  state: 'kept';
  /** The name of the job. */
  job: string;
  /** Its BOSH release. */
  release: string;
  /** The version of that release; `null` if the newest is assumed. */
  version: string | null;
  /** The row of facts in force. */
  row: BoshRow;
  /**
   * Whether it keeps a lock or a presence.
   *
   * * `lock`: A lock.
   * * `presence`: A presence.
   */
  kind: 'lock' | 'presence';
  /** The runner that does so. */
  runner: RunnerName;
  /** Its lease. */
  ttlMs: number;
  /** Its retry interval. */
  retryIntervalMs: number;
  /** Whether no property sets the lease. */
  isTtlFixed: boolean;
  /** Whether no property sets the retry interval. */
  isRetryIntervalFixed: boolean;
  /** The given properties that have no effect. */
  ignored: string[];
  /** A description, as a sentence. */
  summary: string;
  /** Which facts these are, and what no question covers, as sentences. */
  notes: string[];
  /**
   * The question about the settings. For a lock: can there be two owners? For a presence: can it
   * be missing? Add the faults.
   */
  question: Question;
}
