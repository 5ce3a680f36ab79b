// Which Locket is meant, on the command line.

import { type Command, Option } from 'commander';

import type { Profile, ProfileChoice } from '../types.js';

/** As it was given; without a default, nothing if it was not. */
export interface ProfileOptions {
  profile?: 'documented' | 'upstream' | undefined;
  database?: Profile['database'] | undefined;
}

/** Adds --profile and --database to a command. */
export function withProfile(command: Command, what: string, defaultProfile: 'documented' | 'upstream'): Command {
  const profile = new Option('--profile <name>', `${what}: documented, or upstream, the one that ships`);
  const database = new Option('--database <kind>', 'what is under it: on mysql the keys bbs, BBS and "bbs " are one');
  return command
    .addOption(profile.choices(['documented', 'upstream']).default(defaultProfile))
    .addOption(database.choices(['postgres', 'mysql']).default('postgres'));
}

/** The profile that the two make. */
export function profileOf({ profile = 'documented', database = 'postgres' }: ProfileOptions): ProfileChoice {
  return database === 'postgres' ? profile : { extends: profile, database };
}

/** It, in words. */
export function profileWords({ profile = 'documented', database = 'postgres' }: ProfileOptions): string {
  return database === 'postgres' ? profile : `${profile} on ${database}`;
}
