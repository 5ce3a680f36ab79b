// A call as data, to send to two Lockets, and its answer.

import { LocketArgumentError, type LocketClient, LocketError, type Resource } from 'locket-wasm';
import type { CodeName, FetchAllRequest, Requests } from 'locket-wasm/types';

/** One call. */
export type Call =
  | { method: 'lock'; request: Requests['lock'] }
  | { method: 'release'; request: Requests['release'] }
  | { method: 'fetch'; request: { key: string } }
  | { method: 'fetchAll'; request: FetchAllRequest };

/** An answer. */
export interface Answer {
  code: CodeName | 'OK';
  message: string;
  /** The resources; a list is sorted by key. */
  resources: Resource[];
}

/** Makes a call. A list keeps only keys that `isOwn` accepts: others may use the endpoint. */
export async function answerTo(client: LocketClient, call: Call, isOwn: (key: string) => boolean): Promise<Answer> {
  try {
    const resources = (await made(client, call)).filter(({ key }) => call.method !== 'fetchAll' || isOwn(key));
    return { code: 'OK', message: '', resources: resources.sort((a, b) => (a.key < b.key ? -1 : 1)) };
  } catch (error) {
    if (!(error instanceof LocketError) || error instanceof LocketArgumentError) throw error;
    return { code: error.codeName, message: error.rawMessage, resources: [] };
  }
}

async function made(client: LocketClient, call: Call): Promise<Resource[]> {
  switch (call.method) {
    case 'lock':
      await client.lock(call.request);
      return [];
    case 'release':
      await client.release(call.request);
      return [];
    case 'fetch':
      return [await client.fetch(call.request.key)];
    default:
      return client.fetchAll(call.request);
  }
}

/** An answer in one line. */
export function answerLine({ code, message, resources }: Answer): string {
  if (code !== 'OK') return `${code} ${message}`;
  return resources.length === 0 ? 'OK' : `OK ${resources.map((resource) => JSON.stringify(resource)).join(' ')}`;
}
