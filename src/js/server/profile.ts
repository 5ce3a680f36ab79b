// Which Locket is meant: the one of the documents or the one that ships.

import { profiles } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { kindOf, knownFields } from '../base/checks.js';

/** The switches in which the published documents and the shipped Locket differ. */
export interface Profile {
  /**
   * The database under Locket, which says when two texts are one: on MySQL `bbs`, `BBS` and `bbs ` are one key. It is the
   * MariaDB 10.11 that was observed; its FetchAll lists by key unless `fetchAllOrder` says otherwise.
   */
  database: 'mysql' | 'postgres';
  /** What Release by a real owner does to a row whose owner is empty. */
  emptyOwnerRelease: 'collision' | 'missing';
  /** When a row whose TTL has ended goes: at that moment, or when a timer of a running process fires. */
  expiry: 'exact' | 'upstream-timers';
  /** The order of FetchAll's list. */
  fetchAllOrder: 'insertion' | 'key' | 'last-write' | 'shuffled';
  /** Whether Lock checks the type before all else (upstream) or after the documented checks. */
  invalidTypeError: 'undocumented' | 'upstream';
  /** The gRPC code of `invalid-type`. */
  invalidTypeStatus: 'invalid-argument' | 'not-found';
  /** Whether an empty key is refused. */
  keyRequired: boolean;
  /** What a Lock or Release without a resource does: refused, or what crashes the real process. */
  nilResource: 'crash' | 'invalid';
  /** The answer to Release of a key that nobody holds. */
  releaseMissing: 'not-found' | 'ok' | 'sql-not-found';
  /** Whether Release with an empty owner is refused. */
  releaseOwnerRequired: boolean;
  /** Column order and nullability of the `locks` table. */
  schema: 'documented' | 'upstream';
  /** What happens to a TTL over 9,223,372,036 s: it lasts, or wraps and mostly ends at once. */
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

/** Refuses unknown names and switches, and what is never a value; which one is, the module itself checks. */
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
