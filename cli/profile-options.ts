// The options for the profile.

import { type Command, Option } from 'commander';
import type { Profile, ProfileChoice } from 'locket-wasm/types';

/** The options as given; `undefined` without a value or a default. */
export interface ProfileOptions {
  profile?: 'documented' | 'upstream' | undefined;
  database?: Profile['database'] | undefined;
}

/** Adds --profile and --database to a command; without a default, the command finds them out. */
export function withProfile(command: Command, what: string, defaultProfile: 'documented' | undefined): Command {
  const profile = new Option('--profile <name>', `${what}: documented, or upstream (the shipped one)`);
  const database = new Option('--database <kind>', 'its database: on mysql the keys bbs, BBS and "bbs " are equal');
  profile.choices(['documented', 'upstream']);
  database.choices(['postgres', 'mysql']);
  if (defaultProfile === undefined) return command.addOption(profile).addOption(database);
  return command.addOption(profile.default(defaultProfile)).addOption(database.default('postgres'));
}

/** The profile of the two options. */
export function profileOf({ profile = 'documented', database = 'postgres' }: ProfileOptions): ProfileChoice {
  return database === 'postgres' ? profile : { extends: profile, database };
}

/** The profile as text. */
export function profileWords({ profile = 'documented', database = 'postgres' }: ProfileOptions): string {
  return database === 'postgres' ? profile : `${profile} on ${database}`;
}
