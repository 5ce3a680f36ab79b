// Facts about an endpoint before the comparison: whether it answers, and which Locket it imitates if it is `serve`.

import { type LocketClient, LocketError } from 'locket-wasm';
import type { Profile } from 'locket-wasm/types';

import { CLOCK_HEADER, PROFILE_HEADER } from '../../src/js/serve/headers.js';
import { EXIT_FAILED, EXIT_UNKNOWN, EXIT_USAGE, Failure } from '../command.js';
import { type ProfileOptions, profileWords } from '../profile-options.js';

/** The profile to compare with, and what to tell the user about it. */
export interface Compared {
  options: ProfileOptions;
  note: string | undefined;
}

/** The options with a profile: that of the user, that of the endpoint, or the shipped Locket's. */
export async function profileFor(client: LocketClient, given: ProfileOptions): Promise<Compared> {
  const announced = await reach(client);
  if (announced[CLOCK_HEADER] === 'virtual') {
    throw new Failure(EXIT_USAGE, 'the endpoint has a virtual clock, on which no lease ends by itself; start serve with --clock real');
  }
  const profile = announced[PROFILE_HEADER];
  if (profile === undefined) return { options: withDefaults(given), note: await documentedNote(client, given) };
  if (profile === 'custom') return { options: withDefaults(given), note: 'the endpoint imitates a profile of its own' };
  const [name, database = 'postgres'] = profile.split(' on ') as [ProfileOptions['profile'], Profile['database']?];
  const options = { profile: given.profile ?? name, database: given.database ?? database };
  if (profileWords(options) === profile) return { options, note: given.profile === undefined ? `the endpoint imitates ${profile}` : undefined };
  throw new Failure(EXIT_FAILED, `the endpoint imitates ${profile}, not ${profileWords(options)}; pass the --profile and --database of the endpoint, or start serve with others`);
}

function withDefaults({ profile = 'upstream', database = 'postgres' }: ProfileOptions): ProfileOptions {
  return { profile, database };
}

/** The headers of an answer; fails if the endpoint cannot be reached. */
async function reach(client: LocketClient): Promise<Record<string, string>> {
  let headers: Record<string, string> = {};
  await client.fetch('conform', { onHeader: (given) => (headers = given) }).catch((error: unknown) => {
    if (error instanceof LocketError && error.outcome === 'refused') return;
    if (error instanceof LocketError) throw new Failure(EXIT_UNKNOWN, `no answer to compare: ${error.message}`, error);
    throw error;
  });
  return headers;
}

/** An endpoint that says nothing of itself may imitate the documents. One call differs for sure. */
async function documentedNote(client: LocketClient, { profile = 'upstream' }: ProfileOptions): Promise<string | undefined> {
  const key = `conform-missing-${Date.now().toString(36)}`;
  const error: unknown = await client.release({ key, owner: 'conform' }).then(() => undefined, (thrown: unknown) => thrown);
  const imitated = error === undefined ? 'upstream' : error instanceof LocketError && error.reason === 'resource-not-found' ? 'documented' : undefined;
  if (imitated === undefined || imitated === profile) return undefined;
  const how = imitated === 'upstream' ? 'succeeds' : 'is refused';
  return `a Release of a missing key ${how} here, as in the profile ${imitated}; this compares with ${profile}`;
}
