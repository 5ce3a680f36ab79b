// One HTTP request and its whole answer. Never rejects.

import { isText, MESSAGE_SIZE_MAX, readAnswer, readTooLong, wireSizeMax } from './answer.js';
import { failed, INTERNAL, UNAVAILABLE, unreachable } from './failure.js';
import { decodeText } from './text.js';

/** Sends a request and reads the answer. */
export async function transfer(call, request, signal) {
  const fetch = call.fetch ?? globalThis.fetch;
  if (typeof fetch !== 'function') return failed(INTERNAL, 'no fetch here; give the client one', 'no-effect');
  try {
    const response = await fetch(...argumentsOf(call, request, signal));
    if (!isResponse(response)) return failed(INTERNAL, 'fetch returned no Response');
    if (response.type === 'error') return failed(UNAVAILABLE, 'no answer: a network error');
    const headers = {};
    response.headers.forEach((value, name) => {
      headers[name.toLowerCase()] = value;
    });
    return await collect(response, headers, signal, call.maxMessageBytes ?? MESSAGE_SIZE_MAX);
  } catch (thrown) {
    return unreachable(thrown, request.url);
  }
}

function argumentsOf(call, request, signal) {
  const init = signal === undefined ? {} : { signal };
  // Some runtimes refuse the very presence of an option that they do not have.
  if (call.credentials !== undefined) init.credentials = call.credentials;
  if (request.init === undefined) return [request, init];
  const { method, body, headers } = request.init;
  return [request.url, { method, body, ...init, headers: call.headers === undefined ? headers : { ...headers, ...call.headers } }];
}

function isResponse(value) {
  return typeof value?.status === 'number' && typeof value.headers?.forEach === 'function';
}

async function collect(response, headers, signal, messageSizeMax) {
  const read = async (body) => readAnswer(response, headers, isText(headers) ? await decodeText(body) : body, messageSizeMax);
  const isShort = Number(headers['content-length']) <= messageSizeMax && headers['content-encoding'] === undefined;
  // Reading chunk by chunk is for answers that may have no end.
  if (isShort || !response.body) {
    return read(new Uint8Array(await response.arrayBuffer()));
  }

  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  try {
    const chunks = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return read(join(chunks, size));
      chunks.push(value);
      size += value.length;
      if (size > wireSizeMax(messageSizeMax)) {
        cancel();
        return readTooLong(join(chunks, size), messageSizeMax);
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function join(chunks, size) {
  if (chunks.length === 1) return chunks[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
