// Which Locket is meant: the one of the documents or the one that ships.

import { profiles } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { kindOf, knownFields } from '../base/checks.js';
import type { Profile } from './profile-value.js';

export type { Profile };

/** The name of a preset, or a preset with single switches changed. */
export type ProfileChoice =
  | 'documented'
  | 'upstream'
  | ({ extends?: 'documented' | 'upstream' } & Partial<Profile>);

/** The presets with all their switches. */
function profilePresets(): { documented: Profile; upstream: Profile } {
  return profiles() as { documented: Profile; upstream: Profile };
}

/** All switches of a profile. */
export function switchesOf(choice: ProfileChoice): Profile {
  const presets = profilePresets();
  if (typeof choice === 'string') return presets[choice];
  const { extends: preset = 'documented', ...switches } = choice;
  return { ...presets[preset], ...switches };
}

/** Refuses unknown names and switches, and what is never a value; which one is, the module itself checks. */
export function checkProfile(profile: unknown): ProfileChoice {
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
  return profile as ProfileChoice;
}
