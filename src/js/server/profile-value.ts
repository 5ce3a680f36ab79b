// Made of sim/scenario.schema.json by `make docs`; do not edit.

/** The switches in which the published documents and the shipped Locket differ. */
export interface Profile {
  /**
   * The effect on the transaction of a call that its caller has gone: its deadline has passed,
   * it has stopped, or its connection is broken. It shows where the database stalls or
   * transactions take time.
   *
   * * `commits`: It commits all the same, as since 2026-04-28.
   * * `rolls-back`: It is rolled back, and leaves the queue at its row, as before 2026-04-28.
   */
  callerGone: 'commits' | 'rolls-back';
  /**
   * The database under Locket, which decides when two texts are one and has its own error texts.
   * On `mysql`, FetchAll lists by key unless `fetchAllOrder` says otherwise.
   *
   * * `mysql`: MySQL or MariaDB: `bbs`, `BBS` and `bbs ` are one key, and so are `e` and `é`.
   * * `postgres`: PostgreSQL: a text is equal to itself only.
   */
  database: 'mysql' | 'postgres';
  /**
   * The effect of a Release by a named owner on a row whose owner is empty.
   *
   * * `collision`: It is refused with `lock-collision`, although Fetch calls the row missing and
   *   Lock calls it free.
   * * `missing`: It treats the row as missing, as the other calls do.
   */
  emptyOwnerRelease: 'collision' | 'missing';
  /**
   * When a row whose TTL has ended is deleted.
   *
   * * `exact`: At the moment when its TTL ends.
   * * `upstream-timers`: When a timer of a running process fires; a restart grants a full TTL
   *   again.
   */
  expiry: 'exact' | 'upstream-timers';
  /**
   * The order of FetchAll's list, which the documents leave open.
   *
   * * `insertion`: By the moment when each key was first taken.
   * * `key`: By key, as the primary key of MySQL has it.
   * * `last-write`: By the last write, as PostgreSQL's heap has it.
   * * `shuffled`: Another order after every write, to find code that relies on an order.
   */
  fetchAllOrder: 'insertion' | 'key' | 'last-write' | 'shuffled';
  /**
   * When Lock checks the type, which the documented list of its errors leaves open.
   *
   * * `undocumented`: After the documented checks of TTL and owner.
   * * `upstream`: Before all other checks.
   */
  invalidTypeError: 'undocumented' | 'upstream';
  /**
   * The gRPC code of `invalid-type`.
   *
   * * `invalid-argument`: Code 3, as for other wrong arguments.
   * * `not-found`: Code 5, the same as for a missing resource.
   */
  invalidTypeStatus: 'invalid-argument' | 'not-found';
  /** Whether an empty key is refused with `invalid-key`. */
  keyRequired: boolean;
  /**
   * The effect of a Lock or Release without a resource.
   *
   * * `crash`: The real server process crashes; here the call is answered with Internal.
   * * `invalid`: It is refused with InvalidArgument `invalid-resource`.
   */
  nilResource: 'crash' | 'invalid';
  /**
   * The answer to Release of a key that has no row.
   *
   * * `not-found`: NotFound `resource-not-found`, as the published documents say.
   * * `ok`: Success.
   * * `sql-not-found`: Unknown `sql-resource-not-found`, as upstream did before 2019.
   */
  releaseMissing: 'not-found' | 'ok' | 'sql-not-found';
  /** Whether Release with an empty owner is refused with `invalid-owner`. */
  releaseOwnerRequired: boolean;
  /**
   * The order of columns in the `locks` table, and which of them may be NULL.
   *
   * * `documented`: path, owner, value, type, ttl, modified_id, modified_index; none may be
   *   NULL.
   * * `upstream`: path, owner, value, type, modified_index, modified_id, ttl; all but path may
   *   be NULL.
   */
  schema: 'documented' | 'upstream';
  /**
   * The effect of a TTL over 9,223,372,036 s.
   *
   * * `keep`: It lasts as long as it says.
   * * `wrap`: It wraps in 64 bits of nanoseconds; most become negative and end at once.
   */
  ttlOverflow: 'keep' | 'wrap';
  /**
   * How type codes and type strings are read.
   *
   * * `documented`: Lock takes a code, any string or neither. FetchAll takes a code or the
   *   string of a code.
   * * `legacy`: As from 2017 to 2024: without a code, the string must be `lock` or `presence`;
   *   if both are there, they must agree.
   * * `upstream`: Lock and FetchAll need a code; the string is ignored.
   */
  typeRules: 'documented' | 'legacy' | 'upstream';
}
