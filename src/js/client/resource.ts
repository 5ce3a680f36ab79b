// What is locked, as it crosses the API.

import { checkChoice, optionalText, safeInteger } from '../base/checks.js';
import type { Duration } from '../base/duration.js';
import { LocketArgumentError } from '../base/errors.js';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** A lock or a presence, as Locket reports it. */
export interface Resource {
  /** Identifies the resource. */
  key: string;
  /** Who holds it. */
  owner: string;
  /** Free text stored beside the key. */
  value: string;
  /** What it is; `unknown` where `typeCode` is neither. */
  kind: 'lock' | 'presence' | 'unknown';
  /** The type as the message has it: `lock`, `presence`, or another text that a client wrote there. */
  type: string;
  /** The code of its type as the message has it: 1 for a lock, 2 for a presence. */
  typeCode: number;
}

/** The type as a message has it, for tests of a server. With a member of it there is no `kind`. */
export interface RawType {
  /** The code of the type: 1 for a lock, 2 for a presence; 0 by default. */
  typeCode?: number;
  /** The deprecated type, a text. */
  type?: string;
}

/** What to lock. */
export interface LockRequest extends RawType {
  /** Identifies the resource; at most 255 characters. */
  key: string;
  /** Who wants it; at most 255 characters. The same owner may lock again, which renews the lease. */
  owner: string;
  /** Free text stored beside the key; at most 4096 characters; empty by default. */
  value?: string;
  /** A `lock` by default. */
  kind?: 'lock' | 'presence';
  /** The lease, whole seconds; counted anew from each successful call. Locket refuses `0s` and less. */
  ttl: Duration;
}

/** What to release. */
export interface ReleaseRequest {
  /** Identifies the resource. */
  key: string;
  /** Who holds it. */
  owner: string;
}

/** What to list: locks or presences. Locket refuses a request for both. */
export type FetchAllRequest = { kind: 'lock' | 'presence'; type?: never; typeCode?: never } | (RawType & { kind?: never });

/** A row of the `locks` table, with the documented columns. `null` is SQL's NULL. */
export interface Row {
  /** The key. */
  path: string;
  /** Who holds it. */
  owner: string | null;
  /** Free text. */
  value: string | null;
  /** `lock`, `presence`, or what somebody wrote there. */
  type: string | null;
  /** The lease in seconds. */
  ttl: number | null;
  /** Made when the row is created, kept through renewals. */
  modified_id: string | null;
  /** 1 in a new row, one more at every renewal. */
  modified_index: number | null;
}

/** The code of a kind. */
export function typeCodeOf(field: string, kind: unknown): number {
  checkChoice(field, kind, ['lock', 'presence']);
  return kind === 'presence' ? 2 : 1;
}

/** The type of a request as its message has it; `otherwise` is the kind of what names none. */
export function wireType(request: RawType & { kind?: unknown }, otherwise?: 'lock'): [type: string, typeCode: number] {
  const { kind, type, typeCode } = request;
  if (type === undefined && typeCode === undefined) {
    const asked = kind ?? otherwise;
    return ['', asked === undefined ? 0 : typeCodeOf('kind', asked)];
  }
  if (kind !== undefined) throw new LocketArgumentError('kind', 'expected either this or type and typeCode');
  // Codes outside the enum are for Locket to refuse.
  return [optionalText('type', type), typeCode === undefined ? 0 : safeInteger('typeCode', typeCode, INT32_MIN, INT32_MAX)];
}
