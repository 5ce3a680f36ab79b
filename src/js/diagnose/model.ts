// What a diagnosis is, as its users get it: plain data, the same as JSON.

/** What was found. */
export type FindingKind =
  /** Two clients or more believed at the same time that they hold the key. */
  | 'two-owners'
  /** No client believed to hold the key. */
  | 'nobody-holding'
  /** The table had no row of the key. */
  | 'no-row'
  /** Two programs present the same owner name. */
  | 'same-owner-name'
  /** The row belongs to a client that does not know it: its request timed out and was applied. */
  | 'unaware-owner'
  /** A client believed to hold the key while the row was not there. */
  | 'holder-without-row'
  | 'lost-by-collision'
  | 'lost-by-timeout'
  | 'lost-by-error'
  | 'expired'
  /** The row was deleted, and not by Locket. */
  | 'row-deleted'
  | 'table-dropped'
  | 'hand-over'
  /** A client was restarted and has its lock again. */
  | 'quick-restart'
  | 'flapping-presence'
  | 'locket-crash'
  | 'locket-restart'
  | 'locket-frozen'
  | 'database-outage'
  | 'database-slow'
  | 'slow-replies'
  /** Requests timed out, and the lines do not say where. */
  | 'slow-requests'
  | 'refused-settings'
  | 'port-in-use'
  | 'clock-skew'
  /** Lines contradict each other, as they do where a log or a part of it is missing. */
  | 'logs-incomplete';

/**
 * How sure a finding is: `certain` if the lines prove it, `likely` if only missing lines or an unlikely coincidence could make it
 * wrong, `possible` if the lines do not exclude it.
 */
export type Certainty = 'certain' | 'likely' | 'possible';

/** How bad a finding is: `incident`s are what an operator looks for, `warning`s explain them, `note`s are as they should be. */
export type Severity = 'incident' | 'note' | 'warning';

/** A line of a log that shows something. */
export interface EvidenceLine {
  file: string;
  line: number;
  /** By the clock of its machine, in milliseconds since the epoch. */
  atMs: number;
  text: string;
}

/** The bounds of a moment, in milliseconds since the epoch; `null` where the lines set none. */
export interface Bounds {
  earliestMs: number | null;
  latestMs: number | null;
}

/** Something that the logs show. */
export interface Finding {
  kind: FindingKind;
  severity: Severity;
  certainty: Certainty;
  /** The key; `null` if it is not about one. */
  key: string | null;
  owners: string[];
  /** The clients or Locket processes, by the names of their files. */
  processes: string[];
  /** When it most likely began, in milliseconds since the epoch. */
  fromMs: number;
  /** When it most likely ended. */
  toMs: number;
  from: Bounds;
  to: Bounds;
  /** Whether it went on when the logs ended. */
  isOpen: boolean;
  /** Of two owners: for how long both processes were running, at most; `null` if that is not known. */
  bothRunningMaxMs: number | null;
  /** What happened, in a sentence. */
  summary: string;
  /** The likely cause, in plain words. */
  cause: string;
  /** The kind of finding that is the cause, or what is none: `holder-frozen`, `holder-vanished`, `planned-stop`, `unknown`. */
  causeKind: CauseKind;
  lines: EvidenceLine[];
}

/** Why something happened. */
export type CauseKind = FindingKind | 'holder-frozen' | 'holder-vanished' | 'planned-stop' | 'unknown';

/** A piece of a lane of a timeline. */
export interface LanePart {
  owner: string;
  fromMs: number;
  toMs: number;
  from: Bounds;
  to: Bounds;
  /** Of a row, its last renewal that is known of. */
  renewedMs: number | null;
  /** How it ended. */
  end: string;
}

/** The row's owner, or what a client believed, over time. */
export interface Lane {
  /** `row`, or the client's name. */
  name: string;
  kind: 'client' | 'row';
  /** Whether only Locket's lines speak of the client. */
  isInferred: boolean;
  parts: LanePart[];
}

/** All that happened to a key. */
export interface KeyTimeline {
  key: string;
  kind: 'lock' | 'presence';
  /** The lease, if a client's line or a dump of the table says it. */
  ttlMs: number | null;
  /** How long its clients wait between renewals, as far as the lines say. */
  retryIntervalMs: number | null;
  lanes: Lane[];
}

/** What is known of a machine's clock. */
export interface ClockEstimate {
  /** The name of its file, without what all files' names have in common. */
  machine: string;
  source: string;
  owner: string | null;
  /** By how much it is ahead of the report's times. */
  aheadMs: number;
  earliestMs: number | null;
  latestMs: number | null;
}

/** What was read of a source. */
export interface SourceSummary {
  name: string;
  kind: 'log' | 'table';
  lines: number;
  /** Lines that say something about locks. */
  used: number;
  /** Lines that were cut or cannot be read. */
  broken: number;
  /** Lines that came too late: what belongs to their time was judged already. */
  late: number;
  /** Why the rest could not be read, if so. */
  problem: string | null;
}

/** A row of a dump of the `locks` table. */
export interface DumpedRow {
  source: string;
  key: string;
  owner: string;
  type: string;
  ttlMs: number | null;
  modifiedIndex: number | null;
  modifiedId: string;
}

/** What the logs show. */
export interface Diagnosis {
  /** The version of this form. */
  version: 1;
  /** In a line: the worst that was found, and its cause. */
  summary: string;
  /** The causes of the incidents, the likeliest first. */
  causes: { kind: CauseKind; words: string }[];
  /** From the first line about locks to the last, in milliseconds since the epoch; both 0 if there is none. */
  fromMs: number;
  toMs: number;
  /** The worst first. */
  findings: Finding[];
  /** How many findings there were, also those that were left out since there were too many. */
  findingCount: number;
  keys: KeyTimeline[];
  clocks: ClockEstimate[];
  /** The machine whose clock the times are those of; `null` if there is none. */
  reference: string | null;
  sources: SourceSummary[];
  table: DumpedRow[];
  /** Lines that look like errors and are none, by what they are. */
  harmless: { what: string; count: number }[];
  /** What the lines cannot tell, and what would. */
  limits: string[];
}
