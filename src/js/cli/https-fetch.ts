// A `fetch` with certificates of one's own, which Node's takes only from a package that it does not export.

import { request, type RequestOptions } from 'node:https';

/** What `node:https` takes of TLS. */
export type Tls = Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'>;

/** A `fetch` for one call after another; bodies are whole, redirects are not followed. */
export function httpsFetch(tls: Tls): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const { method = 'GET', headers, body, signal } = init;
    const sent = Buffer.from(await new Response(body).arrayBuffer());
    return new Promise((resolve, reject) => {
      const options = { ...tls, method, headers: Object.fromEntries(new Headers(headers)), agent: false, ...(signal && { signal }) };
      const outgoing = request(url, options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          const received = Buffer.concat(chunks);
          const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
          // Statuses without a body are refused with one, even an empty one.
          resolve(new Response(received.length === 0 ? null : received, { status: answer.statusCode ?? 500, headers: pairs }));
        });
      });
      outgoing.once('error', reject);
      outgoing.end(sent);
    });
  };
}
