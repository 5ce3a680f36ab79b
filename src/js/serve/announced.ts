// The headers by which a server names itself in each answer, for tools that compare it with another: a real Locket says nothing.

import type { LocketServerOptions } from '../node.js';
import { CLOCK_HEADER, PROFILE_HEADER } from './headers.js';

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
