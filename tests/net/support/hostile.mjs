// A server that answers as its cases say: `/<name>/models.Locket/Fetch` gets the answer of the case of that name.

import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';

import { listen } from './listen.mjs';
import { CASES } from './wire_cases.mjs';

const BY_NAME = new Map(CASES.map((entry) => [entry.name, entry]));
const ROOT = new URL('../../../', import.meta.url);

/**
 * Starts one on loopback. It also serves the package and these files to pages of its own, under `/files/`; `origins`
 * says what pages of other origins may see.
 */
export async function startHostile({ cors = {} } = {}) {
  const closed = [];
  const calls = new EventEmitter();
  const server = http.createServer((request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    response.on('close', () => closed.push({ url: request.url, whole: response.writableFinished }));
    if (request.url.startsWith('/files/')) return serveFile(request.url.slice('/files/'.length), response);
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflight(cors)).end();
    request.resume();
    const name = request.url.split('/')[1];
    request.on('end', () => {
      calls.emit(name);
      void answer(BY_NAME.get(name), response, cors);
    });
  });
  server.keepAliveTimeout = 60_000;
  return {
    ...(await listen(server)),
    /** Requests whose connection or answer ended, and whether the answer was whole. */
    closed,
    /** Waits for the next call of this case. */
    called: (name) => once(calls, name),
  };
}

async function answer(entry, response, cors) {
  if (entry === undefined) return void response.writeHead(500).end('no such case');
  if (entry.silent) return;
  const headers = { 'content-type': 'application/grpc-web+proto', ...entry.headers, ...cors };
  const kept = Object.entries(headers).filter(([, value]) => value !== null);
  response.socket.setNoDelay(true);
  response.writeHead(entry.status ?? 200, Object.fromEntries(kept));
  response.flushHeaders();
  await writeChunks(response, entry);
  if (entry.end === 'close') response.socket?.resetAndDestroy();
  else if (entry.end !== 'never') response.end();
}

/** Writes the pieces of a case, the last one again and again if it has no end. */
export async function writeChunks(stream, { chunks = [], endless }) {
  for (const chunk of chunks) {
    await new Promise((resolve) => stream.write(chunk, resolve));
    // A turn of the event loop, so that pieces are sent, and mostly arrive, as pieces.
    if (chunks.length < 100) await new Promise((resolve) => setImmediate(resolve));
  }
  while (endless && !stream.destroyed) await new Promise((resolve) => stream.write(chunks.at(-1), resolve));
}

function preflight(cors) {
  return { ...cors, 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'content-type,x-grpc-web,uuid,grpc-timeout' };
}

const TYPES = { js: 'text/javascript', mjs: 'text/javascript', html: 'text/html' };

function serveFile(path, response) {
  if (path === 'page.html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>');
  try {
    const text = readFileSync(new URL(path, ROOT));
    const type = TYPES[path.split('.').at(-1)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'service-worker-allowed': '/' }).end(text);
  } catch {
    response.writeHead(404).end();
  }
}
