// Made of sim/constants.json by `make docs`; do not edit.

/** The most clients of a search. */
export const CLIENTS_SEARCHED_MAX = 4;

/** How long Locket waits for its database in a call. */
export const OPERATION_TIMEOUT_MS = 10_000;

/** How often a Locket process looks for rows that others have written. */
export const POLL_INTERVAL_MS = 5_000;

/** The most Locket processes of a server or a scenario. */
export const PROCESSES_MAX = 16;

/** The most Locket processes of a search. */
export const PROCESSES_SEARCHED_MAX = 3;

/** The most steps of a run that says no other limit. */
export const STEPS_DEFAULT = 20_000_000;

/** The TTL of a lock that says none. */
export const TTL_DEFAULT_MS = 15_000;

/** The longest TTL whose nanoseconds Locket can count. */
export const TTL_SECONDS_MAX = 9_223_372_036;
