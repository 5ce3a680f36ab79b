// One HTTP/1.1 request with its whole answer, as a page or a proxy in between sees it.

import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

import type { Tls } from './patient.js';

/** A request. */
export interface RawRequest {
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array;
}

/** An answer. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The begin of the body. */
  text: string;
}

const TEXT_MAX = 4_096;

/** The answer, or the error if there is none. */
export function ask(url: URL, tls: Tls | undefined, timeoutMs: number, { method, headers, body }: RawRequest): Promise<RawAnswer | Error> {
  return new Promise((resolve) => {
    const options = { method, headers, agent: false, signal: AbortSignal.timeout(timeoutMs) };
    const request = url.protocol === 'https:' ? httpsRequest(url, { ...options, ...tls }) : httpRequest(url, options);
    request.once('error', resolve);
    request.once('response', (response) => {
      let text = '';
      const end = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(0, TEXT_MAX)));
      response.once('end', end).once('error', end);
    });
    request.end(body);
  });
}
