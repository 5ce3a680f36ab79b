// The endpoint that is checked.

import type { CalledEndpoint } from '../connection.js';

/** The endpoint to check. */
export interface Patient extends CalledEndpoint {
  /** A page that should be able to call it. */
  origin?: string | undefined;
}

/** The client's certificate and the trusted authorities, in PEM. */
export type Tls = NonNullable<CalledEndpoint['tls']>;

export type Protocol = NonNullable<CalledEndpoint['protocol']>;

/** A host and a port. */
export interface Place {
  host: string;
  port: number;
}
