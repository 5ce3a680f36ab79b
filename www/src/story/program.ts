// A program of one's own: a leader election as people write it, and the search that tries every fault in it. Only the build reads it.

import { everyFault, type LocketTest, withLocket } from 'locket-wasm/testing';
import type { TestClient } from 'locket-wasm/types';

import { programWords } from '../core/sentences.js';
import { type Letter, LETTERS, type Recorded, type Span } from './run.js';

const TEST_MS = 60_000;
/** So long is the run that the figure draws. */
const DRAWN_MS = 17_500;
const STEP_MS = 100;

/** The program. It has one flaw: no attempt has a deadline, and it leads from the answer on, however late that comes. */
async function campaign(client: TestClient, lead: (leads: boolean) => void): Promise<void> {
  lead(await client.lock({ key: 'leader', ttl: '15s' }).then(() => true, () => false));
  setTimeout(() => void campaign(client, lead), 5_000);
}

/** A test of the program: at any time one client leads at most. */
async function election({ host, clock, oneAtATime }: LocketTest): Promise<void> {
  const leading = oneAtATime('leading');
  for (const name of LETTERS) {
    let leave: (() => void) | undefined;
    host(name, ({ client }) => campaign(client, (leads) => {
      if (leads) leave ??= leading.enter();
      else leave = void leave?.();
    }));
  }
  await clock.advanceAsync(`${TEST_MS}ms`);
}

/** What the figure draws of a run. */
export type Drawn = Pick<Recorded, 'beliefs' | 'endMs' | 'holders' | 'losses' | 'outages' | 'writes'>;

/** A search as a figure: a run for each fault at each call, and the run that it finds. */
export interface Figure {
  words: string;
  /** The faults that are found, as a sentence. */
  found: string;
  calls: number;
  faults: readonly string[];
  /** The runs that fail, counted call by call, and which of them is the one that is drawn. */
  broken: readonly number[];
  chosen: number;
  run: Drawn;
}

/** What can happen at a call, as LOCKET_FAULTS has it, and its name in the figure. */
const FAULTS = { 'pause:20s': 'frozen', 'crash:5s': 'crash', lostMessage: 'call lost', lostReply: 'answer lost', 'lateReply:20s': 'answer late' };

export async function searchProgram(): Promise<Figure> {
  const calls: string[] = [];
  await observe((test) => withLocket(OPTIONS, test)(), TEST_MS, (client) => calls.push(`${client}:lock${calls.filter((call) => call.startsWith(client)).length + 1}:sent`));
  const plans = calls.flatMap((call) => Object.keys(FAULTS).map((fault) => `${call}=${fault}`));
  const broken: number[] = [];
  for (const [index, plan] of plans.entries()) if ((await failureOf(election, plan)) !== undefined) broken.push(index);
  const report = (await failureOf(election)) ?? '';
  const [, sentence = '', plan = ''] = /^ {2}at [\d.]+ s, (.*)\.$[^]*LOCKET_FAULTS='([^']*)'/m.exec(report) ?? [];
  const kind = plan.replace(/:[\d.]+s$/, '');
  return {
    ...programWords({ calls: calls.length, faults: Object.keys(FAULTS).length, broken: broken.length, sentence }),
    calls: calls.length, faults: Object.values(FAULTS), broken, chosen: plans.findIndex((one) => one.startsWith(kind)), run: await observe((test) => failureOf(test, plan), DRAWN_MS),
  };
}

const OPTIONS = { latency: '100ms', onUnawaited: 'ignore' } as const;

/** Runs a test with the faults of a plan, or with each fault until one breaks it; gives the report of its failure. */
async function failureOf(test: (locket: LocketTest) => Promise<void>, plan = ''): Promise<string | undefined> {
  process.env['LOCKET_FAULTS'] = plan;
  try {
    await everyFault(OPTIONS, test)();
    return undefined;
  } catch (error) {
    if (error instanceof Error && error.message.includes("LOCKET_FAULTS='")) return error.message;
    throw error;
  } finally {
    delete process.env['LOCKET_FAULTS'];
  }
}

type Own = { client: Letter } & Span;

/** Plays the program without a judge, and looks at each tenth of a second who leads, and who has the row. */
async function observe(play: (test: (locket: LocketTest) => Promise<void>) => Promise<unknown>, endMs: number, onAnswer: (client: Letter) => void = () => {}): Promise<Drawn> {
  const [beliefs, holders]: [Own[], Own[]] = [[], []];
  await play(async ({ host, clock, server }) => {
    const leading = new Set<Letter>();
    for (const name of LETTERS) {
      host(name, ({ client }) => campaign(client, (leads) => {
        onAnswer(name);
        leading[leads ? 'add' : 'delete'](name);
      }));
    }
    for (; clock.now < endMs; await clock.advanceAsync(`${STEP_MS}ms`)) {
      for (const name of leading) extend(beliefs, name, clock.now);
      const owner = LETTERS.find((name) => name === server.table()[0]?.owner);
      if (owner !== undefined) extend(holders, owner, clock.now);
    }
  });
  return { endMs: endMs - STEP_MS, beliefs, holders, losses: holders.slice(0, -1).map(({ toMs }) => ({ atMs: toMs, words: 'expired' })), outages: [], writes: [] };
}

function extend(spans: Own[], client: Letter, atMs: number): void {
  const last = spans.findLast((span) => span.client === client);
  if (last?.toMs === atMs) last.toMs += STEP_MS;
  else spans.push({ client, fromMs: atMs, toMs: atMs + STEP_MS });
}
