// A call in the words of a trace.

import type { Duration } from '../base/duration.js';
import type { Call, FetchAllRequest } from '../types.js';

/** A call as it is sent. */
export type Sent = Pick<Call, 'method' | 'request'>;

/** `locks 'leader' as 'a' for 15 s` */
export function wordsOf({ method, request }: Sent): string {
  const { key, owner, ttl } = request as { key: string; owner: string; ttl: Duration };
  switch (method) {
    case 'lock':
      return `locks '${key}' as '${owner}' for ${spaced(ttl)}`;
    case 'release':
      return `releases '${key}' as '${owner}'`;
    case 'fetch':
      return `fetches '${key}'`;
    case 'fetchAll':
      return `lists all${whichOf(request as FetchAllRequest)}`;
  }
}

function whichOf({ type = '', typeCode = 0 }: FetchAllRequest): string {
  if (type !== '') return ` of type ${type}`;
  const kind = ['', ' locks', ' presences'][typeCode];
  return kind ?? ` of type code ${typeCode}`;
}

/** A duration as people write it: `15 s`. */
function spaced(duration: unknown): string {
  return String(duration).replace(/[a-z]+/, ' $&');
}
