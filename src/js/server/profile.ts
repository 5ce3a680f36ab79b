// The choice of a Locket: the documented one or the shipped one.

import { profiles } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { kindOf, knownFields } from '../base/checks.js';

/** The switches in which the published documents and the shipped Locket differ. */
export interface Profile {
  /**
   * The database under Locket, which decides whether two texts are equal: on MySQL, `bbs`, `BBS`
   * and `bbs ` are one key. `mysql` is MariaDB 10.11 as observed; its FetchAll lists by key unless
   * `fetchAllOrder` says otherwise.
   */
  database: 'mysql' | 'postgres';
  /** The effect of a Release by a named owner on a row whose owner is empty. */
  emptyOwnerRelease: 'collision' | 'missing';
  /**
   * When an expired row is deleted: at the end of its TTL, or when a timer of a running process
   * fires.
   */
  expiry: 'exact' | 'upstream-timers';
  /** The order of FetchAll's list. */
  fetchAllOrder: 'insertion' | 'key' | 'last-write' | 'shuffled';
  /** Whether Lock checks the type before all else (upstream) or after the documented checks. */
  invalidTypeError: 'undocumented' | 'upstream';
  /** The gRPC code of `invalid-type`. */
  invalidTypeStatus: 'invalid-argument' | 'not-found';
  /** Whether an empty key is refused. */
  keyRequired: boolean;
  /**
   * The effect of a Lock or Release without a resource: a refusal, or the crash of the real
   * process.
   */
  nilResource: 'crash' | 'invalid';
  /** The answer to a Release of a key without an owner. */
  releaseMissing: 'not-found' | 'ok' | 'sql-not-found';
  /** Whether Release with an empty owner is refused. */
  releaseOwnerRequired: boolean;
  /** Column order and nullability of the `locks` table. */
  schema: 'documented' | 'upstream';
  /** The effect of a TTL over 9,223,372,036 s: it lasts, or wraps and mostly ends at once. */
  ttlOverflow: 'keep' | 'wrap';
  /** How type codes and type strings are read. */
  typeRules: 'documented' | 'legacy' | 'upstream';
}

/** The name of a preset, or a preset with single switches changed. */
export type ProfileChoice =
  | 'documented'
  | 'upstream'
  | ({ extends?: 'documented' | 'upstream' } & Partial<Profile>);

/** The presets with all their switches: `documented` and `upstream`. */
export function profilePresets(): { documented: Profile; upstream: Profile } {
  return profiles() as { documented: Profile; upstream: Profile };
}

/**
 * Refuses unknown names and switches, and values of a wrong type; the module checks the values
 * themselves.
 */
export function checkProfile(profile: ProfileChoice): ProfileChoice {
  if (typeof profile === 'string') {
    if (profile === 'documented' || profile === 'upstream') return profile;
    throw new LocketArgumentError('profile', `unknown profile ${JSON.stringify(profile)}; the profiles are documented and upstream`);
  }
  if (typeof profile !== 'object' || profile === null) {
    throw new LocketArgumentError('profile', `expected a profile's name or an object, not ${kindOf(profile)}`);
  }
  knownFields('profile', profile, new Set(['extends', ...Object.keys(profilePresets().documented)]));
  for (const [name, value] of Object.entries(profile)) {
    if (typeof value !== 'string' && typeof value !== 'boolean') {
      throw new LocketArgumentError(`profile.${name}`, `expected a string or a boolean, not ${kindOf(value)}`);
    }
  }
  return profile;
}
