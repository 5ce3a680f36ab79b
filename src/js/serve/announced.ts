// The headers by which a server names itself in each answer, for tools that compare it with another: a real Locket says nothing.

import type { LocketServerOptions } from '../node.js';

// No metadata of the client begins like this.
/** The header of each answer that names the profile: `documented`, `upstream on mysql`, or `custom`. */
export const PROFILE_HEADER = 'locket-wasm-profile';
/** The header of each answer that names the clock: `real` or `virtual`. */
export const CLOCK_HEADER = 'locket-wasm-clock';

/** A profile in words: its name, and its database if that is not PostgreSQL. One with other switches is `custom`. */
export function announcedProfile(profile: LocketServerOptions['profile'] = 'documented'): string {
  if (typeof profile === 'string') return profile;
  const { extends: name, database = 'postgres', ...switches } = profile;
  if (name === undefined || Object.keys(switches).length > 0) return 'custom';
  return database === 'postgres' ? name : `${name} on ${database}`;
}

/** The headers, names and values in turn. */
export function announcement(profile: LocketServerOptions['profile'], clock: 'real' | 'virtual'): string[] {
  return [PROFILE_HEADER, announcedProfile(profile), CLOCK_HEADER, clock];
}
