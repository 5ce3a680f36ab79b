// What is locked, as it crosses the API.

/** The kind of a resource. */
export const TypeCode = {
  /** Not given. */
  UNKNOWN: 0,
  /** One owner does some work. */
  LOCK: 1,
  /** Somebody is alive. */
  PRESENCE: 2,
} as const;

/** One of the values of {@link TypeCode}. */
export type TypeCode = (typeof TypeCode)[keyof typeof TypeCode];

/** A lock or a presence, as Locket reports it. */
export interface Resource {
  /** Identifies the resource. */
  key: string;
  /** Who holds it. */
  owner: string;
  /** Free text stored beside the key. */
  value: string;
  /** `lock` or `presence`; what somebody else wrote there, if somebody did. */
  type: string;
  /** The type's code; `TypeCode.UNKNOWN` if the type has none. */
  typeCode: TypeCode;
}

/** What to lock. */
export interface LockRequest {
  /** Identifies the resource; at most 255 characters. */
  key: string;
  /** Who wants it; at most 255 characters. The same owner may lock again, which renews the lease. */
  owner: string;
  /** Free text stored beside the key; at most 4096 characters; empty by default. */
  value?: string;
  /** What kind it is. */
  typeCode?: TypeCode;
  /** The deprecated type string, `lock` or `presence`; superseded by `typeCode`. */
  type?: string;
  /** The lease in whole seconds, greater than 0; counted anew from each successful call. */
  ttlSeconds: number;
}

/** What to release. */
export interface ReleaseRequest {
  /** Identifies the resource. */
  key: string;
  /** Who holds it. */
  owner: string;
}

/** What to list. */
export interface FetchAllRequest {
  /** The kind. */
  typeCode?: TypeCode;
  /** The deprecated type string, `lock` or `presence`; superseded by `typeCode`. */
  type?: string;
}

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
