// Locks and presences, as the API shows them.

import { checkChoice, optionalText, safeInteger } from '../base/checks.js';
import type { Duration } from '../base/duration.js';
import { LocketArgumentError } from '../base/errors.js';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** A lock or a presence, as Locket reports it. */
export interface Resource {
  /** Identifies the resource. */
  key: string;
  /** The owner. */
  owner: string;
  /** Free text stored beside the key. */
  value: string;
  /** The kind; `unknown` if `typeCode` is neither. */
  kind: 'lock' | 'presence' | 'unknown';
  /** The type of the message: `lock`, `presence`, or another text that a client wrote. */
  type: string;
  /** The type code of the message: 1 for a lock, 2 for a presence. */
  typeCode: number;
}

/** The type as in a message, for tests of a server. It excludes `kind`. */
export interface RawType {
  /** The code of the type: 1 for a lock, 2 for a presence; 0 by default. */
  typeCode?: number;
  /** The deprecated type, a text. */
  type?: string;
}

/** The arguments of {@link LocketClient.lock}. */
export interface LockRequest extends RawType {
  /** Identifies the resource; at most 255 characters. */
  key: string;
  /**
   * The owner; at most 255 characters; by default the client's {@link LocketClient.owner | owner}. If
   * the same owner locks again, the TTL starts again.
   */
  owner?: string;
  /** Free text stored beside the key; at most 4096 characters; empty by default. */
  value?: string;
  /** A `lock` by default. */
  kind?: 'lock' | 'presence';
  /**
   * How long the row lives after each successful call, in whole seconds. Locket refuses `0s` and less.
   */
  ttl: Duration;
}

/** The arguments of {@link LocketClient.release}. */
export interface ReleaseRequest {
  /** Identifies the resource. */
  key: string;
  /** The owner; by default the client's {@link LocketClient.owner | owner}. */
  owner?: string;
}

/** Lists locks or presences. Locket refuses a request for both. */
export type FetchAllRequest = { kind: 'lock' | 'presence'; type?: never; typeCode?: never } | (RawType & { kind?: never });

/** The type code of a kind. */
export function typeCodeOf(field: string, kind: unknown): number {
  checkChoice(field, kind, ['lock', 'presence']);
  return kind === 'presence' ? 2 : 1;
}

/** The type of a request, as in its message; `otherwise` is the kind of a request without one. */
export function wireType(request: RawType & { kind?: unknown }, otherwise?: 'lock'): [type: string, typeCode: number] {
  const { kind, type, typeCode } = request;
  if (type === undefined && typeCode === undefined) {
    const asked = kind ?? otherwise;
    return ['', asked === undefined ? 0 : typeCodeOf('kind', asked)];
  }
  if (kind !== undefined) throw new LocketArgumentError('kind', 'expected either kind or type and typeCode');
  // Locket refuses codes outside the enum itself.
  return [optionalText('type', type), typeCode === undefined ? 0 : safeInteger('typeCode', typeCode, INT32_MIN, INT32_MAX)];
}
