// Runs of a scenario with many seeds.

/** A seed whose run fails an expectation of the scenario, or violates a monitor. */
export interface FailedSeed {
  seed: number;
  /** The failures, each a sentence. */
  failures: string[];
  /** The digest of the run, the same on every platform. */
  digest: string;
}

/** The runs of some seeds. */
export interface SeedRuns {
  /** Those that failed. */
  failed: FailedSeed[];
  /** The sum of the digests of all. */
  digest: string;
}
