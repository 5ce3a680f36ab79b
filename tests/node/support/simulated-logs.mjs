// Logs of a simulated run, in the words of Locket and of its clients, each by the clock of its machine. What happened is known.

import { Simulation } from 'locket-wasm';

const BEGIN_MS = 1_795_316_221_000;
const UNTIL_MS = 120_000;
/** Locket waits no longer for its database. */
const WAIT_MS = 10_100;

const pick = (random, list) => list[Math.floor(random() * list.length)];
const between = (random, from, to) => Math.round(from + random() * (to - from));

/** A scenario with one to three incidents, one after another. */
export function randomIncident(random) {
  const [ttl, retry] = pick(random, [[15, 5], [6, 2], [15, 1]]);
  const processes = between(random, 1, 2);
  const twins = random() < 0.1;
  const names = ['bbs-0', 'bbs-1', 'bbs-2'].slice(0, between(random, 2, 3));
  const clients = names.map((name, index) => ({ name, key: 'bbs', owner: twins ? 'one' : `owner-${index}`, ttl: `${ttl}s`, retryInterval: `${retry}s`, runner: 'upstream', startAt: `${index * 1_700}ms` }));
  const actions = [];
  let atMs = between(random, 8_000, 20_000);
  for (let count = between(random, 0, 3); count > 0; count -= 1) {
    const forMs = between(random, 500, 2_500 * ttl);
    actions.push(...actsOf(random, { names, processes, atMs, forMs }));
    atMs += forMs + between(random, 5_000, 25_000);
  }
  // A supervisor starts what has ended.
  const supervised = names.map((node) => ({ at: `${between(random, 4_000, 9_000)}ms`, every: '7s', until: `${UNTIL_MS}ms`, do: 'start', node }));
  return { name: 'an incident', profile: 'upstream', processes, seed: between(random, 0, 1e9), network: { latency: pick(random, ['1ms', '5ms', '40ms']) }, until: `${UNTIL_MS}ms`, clients, actions: [...actions, ...supervised] };
}

function actsOf(random, { names, processes, atMs, forMs }) {
  const node = pick(random, names);
  const locket = `locket-${between(random, 0, processes - 1)}`;
  const [at, length, end] = [`${atMs}ms`, `${forMs}ms`, `${atMs + forMs}ms`];
  const down = (what, act) => [{ at, do: act, node: what }, { at: end, do: 'start', node: what }];
  return pick(random, [
    () => [{ at, do: 'pause', node, for: length }],
    () => [{ at, do: 'crash', node }],
    () => [{ at, do: 'stop', node }],
    () => down(locket, 'crash'),
    () => down(locket, 'drain'),
    () => [{ at, do: 'pause', node: locket, for: length }],
    () => down('database', 'crash'),
    () => [{ at, do: 'stall', for: length }],
    () => [{ at, do: 'cut', from: node, to: locket, for: length }],
    () => [{ at, do: 'set-latency', from: locket, to: node, latency: '6s', for: length, oneWay: true }],
    () => [{ at, do: 'delete-row', key: 'bbs' }],
  ])();
}

/** The lines of each machine of a run, by the true time, and what is known of the run. */
export function runOf(scenario) {
  const simulation = new Simulation(scenario);
  simulation.seek({ timeMs: simulation.endMs });
  const events = simulation.trace();
  const { beliefs, holders, outages } = simulation.timeline();
  simulation.close();
  const isOut = (who, ms) => outages.some(({ node, fromMs, toMs }) => node === who && ms >= fromMs && ms <= (toMs ?? Infinity));
  const writer = new Writer(scenario, events, isOut);
  for (const event of events) writer.take(event);
  return { scenario, events, beliefs, holders, isOut, lines: writer.lines.sort((a, b) => a.ms - b.ms) };
}

class Writer {
  lines = [];
  #row;
  #renewedBy;
  /** The row that the last deletion took, since others may be there when its process says so. */
  #deleted;
  #isFirst = new Map();
  #retryMs;

  constructor({ clients, processes }, events, isOut) {
    this.isOut = isOut;
    this.clients = new Map(clients.map((client) => [client.name, client]));
    this.events = events;
    this.#retryMs = 1_000 * Number.parseInt(clients[0].retryInterval, 10);
    for (let index = 0; index < processes; index += 1) this.#locket({ who: `locket-${index}`, timeMs: 0 }, 'burglar.started');
  }

  take(event) {
    const { who, kind, timeMs } = event;
    const client = this.clients.get(who);
    if (client !== undefined) return this.#ofClient(event, client);
    if (kind === 'row-written') this.#row = event;
    if (kind === 'row-deleted') this.#deleted = { row: this.#row, by: this.#renewedBy };
    if (kind === 'started' && who !== 'database') this.#locket(event, 'burglar.started');
    if (kind === 'stopped') for (const message of ['burglar.signalled', 'burglar.complete']) this.#locket(event, message);
    if (kind === 'handled') this.#handled(event);
    if (kind !== 'expired') return;
    const { row, by } = this.#deleted;
    const timer = by?.who === who ? 'lock' : 'burglar';
    const data = { ...this.#lock(row.row), type: 'lock', 'modified-index': row.row.modified_index, ...(timer === 'lock' && { 'request-uuid': uuidOf(this.#called(row)) }) };
    // At one instant, the run deletes a row and inserts the next before it says that the first has expired.
    const early = { who, timeMs: timeMs - 0.05 };
    for (const message of ['fetch-and-release-lock.fetched-lock', 'fetch-and-release-lock.released-lock']) this.#locket(early, `${timer}.register-ttl.${message}`, data);
    this.#locket(early, `${timer}.register-ttl.lock-expired`, { ...data, owner: undefined, 'type-code': undefined });
  }

  #handled(event) {
    const call = this.#called(event);
    const { owner } = this.clients.get(call.who);
    const data = { ...this.#lock({ path: 'bbs', owner }), 'request-uuid': uuidOf(call) };
    const written = this.events[event.cause];
    if (event.method === 'Release' && event.ok) this.#locket(event, 'release.release-lock.released-lock', data);
    if (event.method !== 'Lock') return;
    if (event.timeMs - call.timeMs > this.#retryMs && !call.words.includes('without a deadline')) this.#cancelled(event, call, owner);
    if (event.answer.startsWith('lock-collision')) this.#locket(event, 'lock.lock.lock-already-exists', data, 0);
    else if (event.ok) {
      const index = written.row?.modified_index ?? 1;
      if (index === 1) this.#locket(event, 'lock.lock.acquired-lock', data);
      this.#locket(event, 'lock.register-ttl.starting', { ...data, owner: undefined, type: 'lock', 'type-code': undefined, 'modified-index': index }, 0);
      this.#renewedBy = event;
    } else this.#locket(event, 'lock.failed-locking-lock', { ...data, error: event.answer.replace(/ \(\w+\)$/, '') }, 2);
  }

  /** A process that runs notices at once that its caller has given up, and one that is paused when it goes on. */
  #cancelled({ who, timeMs }, call, owner) {
    const givenUpMs = call.timeMs + this.#retryMs + 1;
    this.#locket({ who, timeMs: this.isOut(who, givenUpMs) ? timeMs : givenUpMs }, 'context-cancelled', { 'request-id': uuidOf(call), 'resource-key': 'bbs', 'resource-owner': owner });
  }

  #ofClient(event, client) {
    const { kind, runner, words } = event;
    const say = (message, data, level) => this.#client(event, client, `locket-lock.${message}`, data, level);
    if (kind === 'started') {
      this.#isFirst.set(client.name, true);
      return say('started');
    }
    if (kind !== 'runner') return;
    const wasFirst = this.#isFirst.get(client.name);
    this.#isFirst.set(client.name, false);
    if (runner === 'acquired') say('acquired-lock');
    if (runner === 'retrying' && (wasFirst || !words.includes('lock-collision'))) say('failed-to-acquire-lock', this.#failure(event, wasFirst), 2);
    if (runner === 'lost') say('lost-lock', this.#failure(event), 2);
    if (runner === 'signalled') say('signalled');
    if (runner === 'released') for (const message of [words.includes('could not') ? 'failed-to-release-lock' : 'released-lock', 'completed']) say(message);
    if (runner === 'exited' && words.includes('lost lock')) {
      say('completed');
      this.#client(event, undefined, 'exited-with-failure', { error: `Exit trace for group:\nlock exited with error: ${words.slice(words.indexOf('lost lock'))}\n` }, 2);
    }
  }

  /** The error of the attempt that a line is about, and how long it took. */
  #failure(event, wasFirst) {
    const lock = this.events.findLast(({ id, who, kind, method }) => id < event.id && who === event.who && kind === 'called' && method === 'Lock');
    const answer = this.events.find(({ id, cause, who, kind, method }) => id > lock.id && id <= event.id && who === event.who && kind === 'answered' && method === 'Lock' && cause !== null);
    const [, text, code] = /^(.*) \((\w+)\)$/.exec(answer?.answer ?? 'context deadline exceeded (DeadlineExceeded)');
    const owner = / (\S+) holds the lock/.exec(event.words)?.[1];
    return { error: `rpc error: code = ${code} desc = ${text}`, 'request-uuid': uuidOf(lock), ...(wasFirst ? owner !== undefined && { 'lock-owner': owner } : { duration: (event.timeMs - lock.timeMs) * 1e6 }) };
  }

  /** The call that an event answers. What has waited for the database or a process is caused by that. */
  #called(event) {
    let call = event;
    while (call !== undefined && call.kind !== 'called') call = this.events[call.cause];
    const writer = [...this.clients.values()].find(({ owner }) => owner === event.row?.owner);
    const [, asker = call?.who ?? writer?.name] = /answers (\S+), which/.exec(event.words) ?? [];
    const isOwn = (one) => one.who === asker && (event.method === null || one.method === event.method);
    if (call !== undefined && isOwn(call)) return call;
    const calls = this.events.filter((one) => one.kind === 'called' && one.id < event.id && isOwn(one));
    return event.answer?.includes('deadline exceeded') ? calls.find(({ timeMs }) => event.timeMs - timeMs < WAIT_MS) : calls.at(-1);
  }

  #lock = ({ path, owner }) => ({ key: path, owner, 'type-code': 1 });

  #locket({ who, timeMs }, message, data = {}, level = 1) {
    this.lines.push({ who, ms: timeMs + 0.1, source: 'locket', message, data, level });
  }

  #client({ who, timeMs }, client, message, data = {}, level = 1) {
    const lock = client && { lock: { key: client.key, owner: client.owner, type: 'lock', type_code: 1 }, ttl_in_seconds: Number.parseInt(client.ttl, 10) };
    this.lines.push({ who, ms: timeMs + 0.2, source: 'bbs', message, data: { ...lock, ...data }, level });
  }
}

const uuidOf = ({ id }) => `${String(id).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** Lines of work that each client logs while it runs. */
export function withWork({ lines, ...run }, everyMs) {
  const work = run.scenario.clients.flatMap(({ name }) => {
    const times = Array.from({ length: Math.floor(UNTIL_MS / everyMs) }, (_, index) => (index + 0.5) * everyMs);
    const isUp = (ms) => lines.findLast(({ who, ms: at, message }) => who === name && at <= ms && /started|completed|exited/.test(message))?.message.endsWith('started');
    return times.filter((ms) => isUp(ms) && !run.isOut(name, ms)).map((ms) => ({ who: name, ms, source: 'bbs', message: 'request.serving', data: { session: '9' }, level: 1 }));
  });
  return { ...run, lines: [...lines, ...work].sort((a, b) => a.ms - b.ms) };
}

/** A machine's clock: its offset, which may jump, and its drift. */
export function randomClock(random, { steps = 0, offsetMs = 0, ppm = 0 }) {
  const jumps = Array.from({ length: steps }, () => ({ atMs: between(random, 5_000, UNTIL_MS), byMs: pick(random, [-90_000, -3_000, 2_000, 60_000]) }));
  const read = (ms, offset) => BEGIN_MS + ms * (1 + ppm / 1e6) + offset;
  const offsetAt = (ms) => jumps.filter(({ atMs }) => atMs <= ms).reduce((sum, { byMs }) => sum + byMs, offsetMs);
  const offsets = [0, ...jumps.map(({ atMs }) => atMs)].map(offsetAt);
  return { read: (ms) => read(ms, offsetAt(ms)), offsets, readings: (ms) => offsets.map((offset) => read(ms, offset)), isSteady: steps === 0, maxAheadMs: Math.max(...offsets.map(Math.abs)) };
}

/** A line as its program writes it, by a clock. */
export function textOf({ ms, who, source, message, data, level }, clock) {
  // No two machines write in one microsecond: lines of two files that do are copies. Those alike have names with other numbers.
  return JSON.stringify({ timestamp: ((clock.read(ms) + who.charCodeAt(who.length - 1) / 1_000) / 1_000).toFixed(9), source, message: `${source}.${message}`, log_level: level, data: { session: '1', ...data } });
}
