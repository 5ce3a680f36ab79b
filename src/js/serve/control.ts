// The control endpoint: moves the clock, stops and starts processes, and shows the state, over HTTP.

import { createServer, type IncomingMessage, type Server } from 'node:http';

import { type Duration, durationMs, LocketArgumentError, type LocketServer, VirtualClock } from '../node.js';
import type { Clock } from '../types.js';
import { hostName, isThisMachine } from './callers.js';
import { CONTROL_HELP } from './control-help.js';

/** A valid body; its values are checked by their users. A process may be left out, and so may the body. */
type Body = { duration?: Duration; time?: Duration; process?: number; latency?: Duration; owner?: string; count?: number };
type Action = (server: LocketServer<Clock>, body: Body) => unknown;

const ACTIONS: Record<string, Action> = {
  'GET /': () => CONTROL_HELP,
  'GET /now': (server) => ({ now: server.clock.now }),
  'GET /table': (server) => server.table(),
  'GET /stats': (server) => server.stats(),
  'POST /advance': (server, { duration }) => moved(server, (clock) => clock.advanceAsync(given('duration', duration))),
  'POST /advance-to': (server, { time }) => moved(server, (clock) => clock.advanceToAsync(durationMs(given('time', time), 'time'))),
  'POST /next': (server) => moved(server, (clock) => clock.nextAsync()),
  'POST /stop': (server, { process }) => ({ changed: server.stop(process) }),
  'POST /start': (server, { process }) => ({ changed: server.start(process) }),
  'POST /restart': (server, { process }) => (server.restart(process), { changed: true }),
  'POST /latency': (server, { latency }) => (server.setLatency(given('latency', latency)), {}),
  'POST /lose-insert-race': (server, { owner }) => (server.loseInsertRace(given('owner', owner)), {}),
  'POST /stall-database': (server, { duration }) => (server.stallDatabase(given('duration', duration)), {}),
  'POST /stop-database': (server) => ({ changed: server.stopDatabase() }),
  'POST /start-database': (server) => ({ changed: server.startDatabase() }),
  'POST /lose-replies': (server, { count }) => (server.loseReplies(count), {}),
  'POST /drop-table': (server) => (server.dropTable(), {}),
};

const BODY_SIZE_MAX = 64 * 1024;

/** Refuses a request, with an HTTP status. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Runs one action after another: two parallel advances would let time pass twice. */
type InTurn = <T>(action: () => T | Promise<T>) => Promise<T>;

/** A control endpoint that listens nowhere yet. */
export function controlServer(server: LocketServer<Clock>): Server {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: InTurn = (action) => {
    const done = last.then(action);
    last = done.catch(() => {});
    return done;
  };
  return createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    const send = (status: number, answer: unknown): void => {
      const isText = typeof answer === 'string';
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? answer : `${JSON.stringify(answer)}\n`);
    };
    act(server, request, inTurn).then(
      (answer) => send(200, answer),
      (error: Error) => {
        const status = error instanceof Refused ? error.status : error instanceof LocketArgumentError ? 400 : 500;
        send(status, { error: error.message });
      },
    );
  });
}

async function act(server: LocketServer<Clock>, request: IncomingMessage, inTurn: InTurn): Promise<unknown> {
  checkSender(request);
  const path = (request.url ?? '/').split('?')[0] as string;
  const action = ACTIONS[`${request.method} ${path}`];
  if (action === undefined) {
    const known = Object.keys(ACTIONS).find((name) => name.endsWith(` ${path}`));
    if (known === undefined) throw new Refused(404, `no route ${path}; GET / lists the routes`);
    throw new Refused(405, `${path} takes ${known.split(' ')[0]}, not ${request.method}`);
  }
  // Only complete requests wait for their turn: a slow sender delays no other request.
  const given = await body(request);
  return inTurn(() => action(server, given));
}

/** Any open web page could reach this port, but none may move the clock. */
function checkSender({ headers }: IncomingMessage): void {
  // Some requests of pages have no Origin; `none` is that of who typed the address.
  const isOfPage = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
  if (isOfPage) throw new Refused(403, 'web pages are not allowed; send no Origin and no Sec-Fetch-Site header');
  const host = hostName(headers.host ?? '');
  if (!isThisMachine(host)) throw new Refused(403, `the host ${JSON.stringify(host)} is not allowed; use 127.0.0.1 or localhost`);
}

async function body(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > BODY_SIZE_MAX) throw new Refused(413, 'the body is too large');
  }
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refused(400, `the body is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refused(400, 'the body is not a JSON object');
  }
  return value;
}

function given<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw new LocketArgumentError(field, 'missing; the body is a JSON object with this member');
  return value;
}

async function moved({ clock }: LocketServer<Clock>, move: (clock: VirtualClock) => Promise<unknown>): Promise<unknown> {
  if (!(clock instanceof VirtualClock)) throw new Refused(409, 'the clock is real and cannot be moved; start with --clock virtual');
  await move(clock);
  return { now: clock.now };
}
