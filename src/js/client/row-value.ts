// Made of sim/simulation.schema.json by `make docs`; do not edit.

/**
 * A row of the `locks` table, with the documented columns. `null` is SQL's NULL, which only an
 * operator writes.
 */
export interface Row {
  /** The key, which is the primary key; at most 255 characters. */
  path: string;
  /** The owner; at most 255 characters. */
  owner: string | null;
  /** Free text; at most 4096 characters. */
  value: string | null;
  /** `lock`, `presence`, or another text that was written to the table; at most 255 characters. */
  type: string | null;
  /** The lease in seconds. */
  ttl: number | null;
  /** Created with the row, kept through renewals; at most 255 characters. */
  modified_id: string | null;
  /** 1 in a new row; each renewal adds 1. */
  modified_index: number | null;
}
