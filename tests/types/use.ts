// What TypeScript lets its users write, and what it keeps them from. Checked, never run.

import { type AmbientClock, Code, duration, type Duration, durationMs, type Election, LocketArgumentError, type LocketClient, LocketError, LocketServer, type Lock, LockLostError, type LockSettings, type Outcome, type Reason, type Resource, type Runner, type RunnerEvent, type RunnerExit, runScenario, ScenarioError, Simulation, type ScenarioRun, VirtualClock } from 'locket-wasm';
import { type Exploration, explore, mapSettings, type SettingsMap } from 'locket-wasm/check';
import type { Clock, ClockTimer, ClockWait, EventKind, Row, TestClient } from 'locket-wasm/types';

export async function calls(client: LocketClient, signal: AbortSignal): Promise<Resource[]> {
  await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' }, { signal, timeout: '5s' });
  await client.release({ key: 'bbs', owner: 'bbs-0' }, { requestId: 'mine' });
  const one: Resource = await client.fetch('bbs', {});
  const all: Resource[] = await client.fetchAll({ kind: 'presence' });
  // @ts-expect-error a TTL is needed
  await client.lock({ key: 'bbs', owner: 'bbs-0' });
  // @ts-expect-error a TTL has its unit
  await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: 15 });
  // @ts-expect-error a unit is ms, s, m or h
  await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15 seconds' });
  // @ts-expect-error there is no such kind
  await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s', kind: 'unknown' });
  // @ts-expect-error it has either a kind or the type of a message
  await client.fetchAll({ kind: 'presence', typeCode: 2 });
  // @ts-expect-error a length of time has its unit
  await client.fetch('bbs', { timeout: 5_000 });
  // @ts-expect-error there is no such option
  await client.fetch('bbs', { timeoutMs: 5 });
  // @ts-expect-error fetch takes a key
  await client.fetch({ key: 'bbs' });
  return [...all, one];
}

export function servers(): void {
  using server = new LocketServer({ profile: 'upstream', seed: 1, processes: 2, latency: '20ms' });
  const clock: VirtualClock = server.clock;
  clock.advance('15s');
  clock.clearTimeout(clock.setTimeout(() => {}, 5));
  const rows: Row[] = server.table();
  const owner: string | null | undefined = rows[0]?.owner;
  server.putRow({ path: 'bbs', owner: owner ?? null });
  server.updateRows({ value: null });
  const stopped: boolean = server.stop(1);
  const expired: number = server.stats().locksExpired;
  const carrier: (input: Request) => Promise<Response> = server.fetch;
  new LocketServer({ profile: { extends: 'upstream', releaseMissing: 'not-found' } });
  const ambient: AmbientClock = new LocketServer<AmbientClock>({ clock: 'ambient' }).clock;
  // @ts-expect-error a length of time has its unit
  new LocketServer({ latency: 20 });
  // @ts-expect-error there is no such profile
  new LocketServer({ profile: 'newest' });
  // @ts-expect-error the switch has no such value
  new LocketServer({ profile: { releaseMissing: 'maybe' } });
  // @ts-expect-error there is no such option
  new LocketServer({ profil: 'upstream' });
  // @ts-expect-error the path of all rows cannot be one
  server.updateRows({ path: 'bbs' });
  const followed: Clock = new LocketServer({ clock: 'ambient' }).clock;
  // @ts-expect-error a server of a clock that a test moves has no other
  new LocketServer<VirtualClock>({ clock: 'ambient' });
  // @ts-expect-error the ambient clock is not moved by hand
  ambient.advance('15s');
  void [stopped, expired, carrier, followed, server.profile.expiry];
}

export async function runners(client: LocketClient): Promise<RunnerExit[]> {
  await using lock: Lock = await client.acquire(
    { key: 'bbs', owner: 'bbs-0', ttl: '15s', retryInterval: '5s', margin: '500ms', runner: 'safe' },
    { signal: AbortSignal.timeout(1_000), onEvent: (event: RunnerEvent) => console.log(event.type) },
  );
  const signal: AbortSignal = lock.signal;
  const presence: Runner = client.presence({ key: 'cell-1', owner: 'cell-1', value: '{}' });
  presence.addEventListener('lost', ({ error, key }) => console.log(error instanceof LockLostError, key?.length));
  for await (const { type, timeMs, owner } of presence) if (type === 'retrying') console.log(timeMs + 1, owner?.length);
  const ready: boolean = await presence.ready;
  // @ts-expect-error a runner's signal is there only while it holds something
  const held: AbortSignal = presence.signal;
  const fromOutside: Duration = duration(lock.key, 'LOCKET_TTL');
  client.lockRunner({ key: 'bbs', owner: 'bbs-0', ttl: fromOutside, margin: `${durationMs(fromOutside) / 10}ms` }, { afterLoss: 'retry' });
  // @ts-expect-error a text from outside is checked first
  client.lockRunner({ key: 'bbs', owner: 'bbs-0', ttl: lock.key });
  await client.withLock([{ key: 'a', owner: 'o' }, { key: 'b', owner: 'o' }], { maxWait: '30s' }, (all) => all.aborted);
  // @ts-expect-error the work under several locks gets their signal alone
  await client.withLock([{ key: 'a', owner: 'o' }], (all: AbortSignal, one: Lock) => one.key);
  // @ts-expect-error a key is needed
  await client.acquire({ owner: 'bbs-0' });
  // @ts-expect-error there is no such runner
  client.lockRunner({ key: 'bbs', owner: 'bbs-0', runner: 'fast' });
  // @ts-expect-error a presence is never given up
  client.presence({ key: 'bbs', owner: 'bbs-0' }, { afterLoss: 'exit' });
  // @ts-expect-error there is no such event
  presence.addEventListener('released-by-accident', () => {});
  void [signal, ready, held];
  return Promise.all([lock.release(), presence.stop()]);
}

/** What an event tells follows from its type. */
export function told(event: RunnerEvent): string {
  switch (event.type) {
    case 'lost':
      return `${event.key} ${event.error.lastAttempt?.codeName}`;
    case 'retrying':
      return `${event.error.reason} ${event.owner}`;
    case 'suspended':
      return event.suspendedMs.toFixed();
    case 'exited':
      return event.exit.reason === 'lost' ? event.exit.error.key : event.exit.reason;
    default:
      // @ts-expect-error a renewal has no error
      return event.error.message;
  }
}

export async function work(client: LocketClient, signal: AbortSignal): Promise<number> {
  const election: Election = client.elect({ key: 'bbs', owner: 'a' }, { onLead: (term) => term.aborted, onLose: ({ key }) => void key, signal });
  await election.resign({ for: '1m' });
  const ended: RunnerExit = await election.stop();
  const { length }: string = await client.withLock({ key: 'bbs', owner: 'a' }, { maxWait: '1m', signal }, async (mine, lock) => `${mine.aborted} ${lock.key}`);
  const answer: number = await client.withLock({ key: 'bbs', owner: 'a' }, () => 42);
  // @ts-expect-error an election needs something to lead
  client.elect({ key: 'bbs', owner: 'a' }, {});
  // @ts-expect-error the work is missing
  await client.withLock({ key: 'bbs', owner: 'a' }, { maxWait: '1m' });
  return length + answer + (ended.released ? 1 : 0);
}

export function timers({ clock }: LocketServer, client: TestClient): void {
  const { setTimeout, setInterval, clearTimeout } = clock;
  clearTimeout(setTimeout((name: string, count: number) => void [name, count], 1.5, 'a', 1).unref());
  const interval: ClockTimer = setInterval(() => {}, '1s');
  client.clock.clearInterval(interval);
  client.pause('5s');
  const waits: ClockWait[] = clock.waits();
  void [clock.sleep('1s', { signal: AbortSignal.timeout(1) }), waits];
  // @ts-expect-error the callback wants a number
  setTimeout((count: number) => count, 5, 'one');
  // @ts-expect-error the machine's clock is not moved by hand
  client.clock.advance('5s');
}

export function failures(error: unknown): [Outcome, Reason | undefined, Duration] {
  if (error instanceof LocketArgumentError) throw new Error(error.field);
  if (error instanceof ScenarioError) throw new Error(`${error.line}:${error.column}`);
  if (!(error instanceof LocketError)) throw error;
  if (error.code === Code.AlreadyExists && error.reason === 'lock-collision') return [error.outcome, error.reason, '5s'];
  // @ts-expect-error Locket gives no such reason
  if (error.reason === 'lock-is-held') return ['refused', undefined, '0s'];
  // @ts-expect-error what happened cannot be changed
  error.outcome = 'refused';
  return [error.outcome, error.reason, '250ms'];
}

export function scenarios(text: string, settings: LockSettings): EventKind[] {
  const run: ScenarioRun = runScenario(text);
  runScenario({ name: 'settings of acquire', network: { loss: '0.5%' }, clients: [{ name: 'a', ...settings }, { name: 'b', ...settings, startAt: '2s' }] });
  // @ts-expect-error a share has its sign
  runScenario({ name: 'x', network: { loss: 5 }, clients: [] });
  // @ts-expect-error a scenario is a text or an object
  runScenario(7);
  return run.events.map(({ kind }) => kind);
}

export async function questions(signal: AbortSignal): Promise<Exploration> {
  const map: SettingsMap = await mapSettings({ ttl: { from: '3s', to: '12s' }, retryInterval: ['1s', '5s'], axis: 'lostMessage' }, { signal });
  const breaksAt: number | null | undefined = map.cells[0]?.breaksAt;
  const { verdict } = await explore({ clients: [{}, { runner: 'safe' }], property: { is: 'no-client-acts', allow: '20s' } });
  if (verdict === 'unknown') return explore({ ttl: `${breaksAt ?? 15}s`, retryInterval: '5s', latency: '500ms' }, { signal, maxStates: 10 });
  // @ts-expect-error a TTL has its unit
  await explore({ ttl: 15 });
  // @ts-expect-error a property that needs a time
  await explore({ property: { is: 'no-client-acts' } });
  // @ts-expect-error there is no such runner
  await explore({ runner: 'own' });
  // @ts-expect-error a map's leases have their unit
  await mapSettings({ ttl: '15', retryInterval: ['1s'] });
  const answer = await explore({ faults: { pause: { length: '5s', count: 1 } } }, { onProgress: ({ states }) => states.toFixed() });
  // @ts-expect-error a proof has no story
  answer.story.lines;
  // @ts-expect-error nor a link
  Simulation.fromLink(answer.link);
  if (answer.verdict === 'unsafe') return replay(answer.scenario.length, Simulation.fromLink(answer.link), answer);
  return answer;
}

function replay(length: number, simulation: Simulation, answer: Exploration): Exploration {
  const diagram: string = simulation.export('mermaid');
  // @ts-expect-error there is no such format
  simulation.export('pdf');
  void [length, diagram];
  return answer;
}
