// The endpoint that is checked.

/** The client's certificate and the trusted authorities, in PEM. */
export interface Tls {
  ca?: string;
  cert?: string;
  key?: string;
  rejectUnauthorized: boolean;
}

/** The endpoint to check. */
export interface Patient {
  urls: readonly string[];
  /** `undefined` is the one that the endpoint speaks. */
  protocol: Protocol | undefined;
  tls: Tls | undefined;
  /** A page that should be able to call it. */
  origin?: string | undefined;
}

export type Protocol = 'grpc' | 'grpc-web';

/** A host and a port. */
export interface Place {
  host: string;
  port: number;
}
