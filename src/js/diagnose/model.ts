// The types of a diagnosis: plain data, the same as its JSON.

/** The kinds of findings. */
export type FindingKind =
  /** Two or more clients believed that they hold the key at the same time. */
  | 'two-owners'
  /** No client believed that it holds the key. */
  | 'nobody-holding'
  /** The table had no row for the key. */
  | 'no-row'
  /** The row belongs to a client that does not know it: its request timed out and was applied. */
  | 'unaware-owner'
  /** A client believed that it holds the key, but had no row. */
  | 'holder-without-row'
  | 'lost-by-collision'
  | 'lost-by-timeout'
  | 'lost-by-error'
  | 'expired'
  /** The row was deleted, but not by Locket. */
  | 'row-deleted'
  | 'table-dropped'
  | 'locket-crash'
  | 'locket-restart'
  | 'locket-frozen'
  | 'database-outage'
  | 'database-slow'
  | 'slow-replies'
  /** Requests timed out, and the lines do not show where. */
  | 'slow-requests'
  /** Calls failed for a reason that no other finding covers; its cause quotes an unknown error. */
  | 'calls-failed'
  /** The database answered with an error, such as a deadlock or too many connections. */
  | 'database-error'
  /** A process ended with a failure. */
  | 'process-exited'
  /** A process ended with a failure again and again, or never came up. */
  | 'restart-loop'
  | 'clock-skew'
  /** Lines contradict each other, because a log or a part of it is missing. */
  | 'logs-incomplete';

/**
 * How sure a finding is: `certain` if the lines prove it; `likely` if only missing lines or an
 * unlikely coincidence could make it wrong; `possible` if the lines do not exclude it.
 */
export type Certainty = 'certain' | 'likely' | 'possible';

/**
 * How bad a finding is: an `incident` is a failure, a `warning` explains incidents, a `note` is
 * normal.
 */
export type Severity = 'incident' | 'note' | 'warning';

/** A log line that supports a finding. */
export interface EvidenceLine {
  file: string;
  line: number;
  /** By the clock of its machine, in milliseconds since the epoch. */
  atMs: number;
  text: string;
}

/** The bounds of a moment, in milliseconds since the epoch; `null` without a bound. */
export interface Bounds {
  earliestMs: number | null;
  latestMs: number | null;
}

/** A finding. */
export interface Finding {
  kind: FindingKind;
  severity: Severity;
  certainty: Certainty;
  /** The key; `null` for a finding without one. */
  key: string | null;
  owners: string[];
  /** The clients or Locket processes, named after their files. */
  processes: string[];
  /** When it most likely began, in milliseconds since the epoch. */
  fromMs: number;
  /** When it most likely ended. */
  toMs: number;
  from: Bounds;
  to: Bounds;
  /** True if it lasted until the end of the logs. */
  isOpen: boolean;
  /** For two owners: the longest time both processes were running; `null` if unknown. */
  bothRunningMaxMs: number | null;
  /** The finding, in a sentence. */
  summary: string;
  /** The likely cause, in a sentence. */
  cause: string;
  /** The finding that is the cause, or another kind of cause. */
  causeKind: CauseKind;
  /** How sure the cause is; `null` if it is unknown. */
  causeCertainty: Certainty | null;
  lines: EvidenceLine[];
}

/** The kinds of causes that an error text can name. */
export type ErrorCause =
  /** The server, or a proxy before it, denied access. */
  | 'access-denied'
  /** The settings or files of the process that wrote the line are wrong. */
  | 'bad-settings'
  /** The caller gave up. */
  | 'call-cancelled'
  /** The other side ended the call, and not its connection. */
  | 'call-reset'
  | 'connection-closed'
  | 'connection-refused'
  /** No answer came on an open connection. */
  | 'connection-silent'
  /** A limit of one side was reached, such as the size of messages or the number of files. */
  | 'limit-reached'
  | 'name-not-resolved'
  /** There was no connection in time. */
  | 'no-connection'
  /** The answer came from another program, such as a proxy. */
  | 'not-locket'
  /** Locket's address was another program's. */
  | 'port-in-use'
  | 'protocol-error'
  /** Locket refuses the settings of the client. */
  | 'refused-settings'
  | 'tls-failed'
  /** The network had no way to the address, or no answer came from it. */
  | 'unreachable';

/** The kinds of causes; for `same-owner-name`, two programs use one owner name. */
export type CauseKind = ErrorCause | FindingKind | 'holder-frozen' | 'holder-vanished' | 'planned-stop' | 'same-owner-name' | 'unknown';

/** A piece of a lane of a timeline. */
export interface LanePart {
  owner: string;
  fromMs: number;
  toMs: number;
  from: Bounds;
  to: Bounds;
  /** For a row: its last known renewal. */
  renewedMs: number | null;
  /** How it ended. */
  end: string;
}

/** The row's owner, or a client's belief, over time. */
export interface Lane {
  /** `row`, or the client's name. */
  name: string;
  kind: 'client' | 'row';
  /** True if only Locket's lines mention the client. */
  isInferred: boolean;
  parts: LanePart[];
}

/** The timeline of a key. */
export interface KeyTimeline {
  key: string;
  kind: 'lock' | 'presence';
  /** The TTL, if a client's line shows it or it was given. */
  ttlMs: number | null;
  /** The retry interval of its clients, as far as the lines show it. */
  retryIntervalMs: number | null;
  lanes: Lane[];
}

/** The estimate of a machine's clock. */
export interface ClockEstimate {
  /** The name of its file, without the common part of all names. */
  machine: string;
  source: string;
  owner: string | null;
  /** How far it is ahead of the report's clock. */
  aheadMs: number;
  earliestMs: number | null;
  latestMs: number | null;
}

/** The counts of a source. */
export interface SourceSummary {
  name: string;
  lines: number;
  /** Lines about locks. */
  used: number;
  /** Lines that are cut or unreadable. */
  broken: number;
  /** Lines that are no log lines of Locket or its clients. */
  unread: number;
  /** Rows that a tool has listed, without their time. */
  rows: number;
  /** Lines that were too far out of order to be used. */
  late: number;
  /** The first line of each of these counts that is not 0. */
  firsts: Partial<Record<'broken' | 'late' | 'rows' | 'unread', { line: number; text: string }>>;
  /** Why the rest could not be read; `null` if all was read. */
  problem: string | null;
}

/** The result of {@link diagnose}. */
export interface Diagnosis {
  /** The version of this format. */
  version: 1;
  /** The worst finding and its cause, in a sentence that is no surer than they are. */
  summary: string;
  /** Whether the logs show an incident: `possible` if they only do not exclude one. */
  verdict: 'incident' | 'no-incident' | 'possible';
  /** The causes of the incidents, the likeliest first. */
  causes: { kind: CauseKind; words: string; certainty: Certainty }[];
  /** From the first line about locks to the last, in milliseconds since the epoch; both 0 if there is none. */
  fromMs: number;
  toMs: number;
  /** The worst first. */
  findings: Finding[];
  /** Findings that are one to a reader, as indexes of `findings`: of one kind and cause, of many keys at one moment or of one key again and again. */
  groups: number[][];
  /** The number of all findings, including those beyond the limit. */
  findingCount: number;
  keys: KeyTimeline[];
  clocks: ClockEstimate[];
  /** The machine whose clock the report uses; `null` if there is none. */
  reference: string | null;
  sources: SourceSummary[];
  /** The limits of the logs, with remedies. */
  limits: string[];
}
