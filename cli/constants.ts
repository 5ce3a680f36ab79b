// Made of sim/constants.json by `make docs`; do not edit.

/** The most clients of a search. */
export const CLIENTS_SEARCHED_MAX = 4;

/** The most Locket processes of a search. */
export const PROCESSES_SEARCHED_MAX = 3;
