// The metrics of Locket and of its clients that a run can show: their real names, and what they
// count. Left out: `RequestsCancelled` and the metrics of the database connection, which a run does
// not show.

/** A metric. */
export interface Metric {
  help: string;
  /** How the values of several processes are one: all Locket processes count the same table. */
  combine: 'max' | 'sum';
  /** It only grows until its process restarts. A rule sees its increase between two samples. */
  isTotal?: true;
  /** It says nothing about a quiet time: requests go on. */
  isFlow?: true;
}

export const METRICS = {
  LockHeld: { help: '1 if the client holds its lock, otherwise 0', combine: 'sum' },
  ActiveLocks: { help: 'locks in the table', combine: 'max' },
  ActivePresences: { help: 'presences in the table', combine: 'max' },
  LocksExpired: { help: 'locks that this process expired since its start', combine: 'sum', isTotal: true },
  PresenceExpired: { help: 'presences that this process expired since its start', combine: 'sum', isTotal: true },
  RequestsStarted: { help: 'requests received since the start', combine: 'sum', isTotal: true, isFlow: true },
  RequestsSucceeded: { help: 'requests answered without an error or with a collision', combine: 'sum', isTotal: true, isFlow: true },
  RequestsFailed: { help: 'requests answered with an error other than a collision', combine: 'sum', isTotal: true },
  RequestsInFlight: { help: 'requests without an answer yet', combine: 'sum' },
  RequestLatencyMax: { help: 'longest request since the last sample, in ns, as simulated', combine: 'max', isFlow: true },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** The interval of the BOSH jobs. */
export const REPORT_INTERVAL = '1m';
/** Locket counts expiries in an interval of its own, which no property changes (B77). */
export const EXPIRY_INTERVAL_MS = 60_000;
