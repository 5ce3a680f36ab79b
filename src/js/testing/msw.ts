// The entry `locket-wasm/testing/msw`: a handler for mock service workers that answers as Locket.

import { http, type HttpHandler } from 'msw';

import { withoutTrailingSlashes } from '../base/text.js';
import { LocketArgumentError, type LocketServer } from '../node.js';
import type { Clock } from '../types.js';

/** Options of {@link locketHandler}. */
export interface LocketHandlerOptions {
  /** The base URL whose calls it answers; by default those of every host. */
  baseUrl?: string;
}

/**
 * Answers gRPC-Web calls of any client, as Locket behind a proxy does.
 *
 * @example
 * ```ts
 * const locket = new LocketServer();
 * const worker = setupServer(locketHandler(locket, { baseUrl: 'https://locket.example.org' }));
 * ```
 */
export function locketHandler(server: LocketServer<Clock>, options: LocketHandlerOptions = {}): HttpHandler {
  if (typeof server?.fetch !== 'function') throw new LocketArgumentError('server', 'expected a LocketServer');
  if (typeof options !== 'object' || options === null) throw new LocketArgumentError('options', 'expected an object or undefined');
  const { baseUrl = '*' } = options;
  if (typeof baseUrl !== 'string') throw new LocketArgumentError('baseUrl', 'expected a URL, or undefined for every host');
  return http.post(`${withoutTrailingSlashes(baseUrl)}/models.Locket/:method`, ({ request }) => server.fetch(request));
}
