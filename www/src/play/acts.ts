// The acts of a visitor on a run, as data: a short text in the address, and actions of a simulation.

import type { Simulation } from 'locket-wasm';
import type { ScenarioAct } from 'locket-wasm/types';

import { type Letter, LETTERS, type Names } from '../story/run.js';

/** The settings of both clients. */
export interface PlaySettings {
  ttlMs: number;
  retryIntervalMs: number;
  isSafe: boolean;
}

/** Something that the visitor does, at a moment of the run. */
export type Act =
  | { do: 'delete'; atMs: number }
  | { do: 'freeze'; client: Letter; atMs: number; /** `undefined` while it is frozen. */ untilMs: number | undefined }
  | { do: 'lose'; client: Letter; /** Whether it is the message to the client. */ isAnswer: boolean; atMs: number };

export type Freeze = Extract<Act, { do: 'freeze' }>;

/** A game as a link has it. */
export interface Played {
  settings: PlaySettings;
  acts: readonly Act[];
}

export const SETTINGS: PlaySettings = { ttlMs: 15_000, retryIntervalMs: 5_000, isSafe: false };
/** The ranges of the sliders, in milliseconds. */
export const TTL = { min: 5_000, max: 30_000 } as const;
export const RETRY = { min: 1_000, max: 8_000 } as const;
/** The longest freeze; longer ones show nothing else. */
export const FREEZE_MAX_MS = 60_000;
/** No act is later than this. */
const ACT_MAX_MS = 120_000;

const KEY = 'bbs';
export const NAMES: Names = { A: 'bbs-0', B: 'bbs-1' };
const LOCKET = 'locket-0';

/** The scenario of a game: nothing goes wrong until the visitor does it. */
export function scenarioOf({ ttlMs, retryIntervalMs, isSafe }: PlaySettings, untilMs: number): string {
  const client = { key: KEY, ttl: `${ttlMs}ms`, retryInterval: `${retryIntervalMs}ms`, runner: isSafe ? 'safe' : 'upstream' };
  return JSON.stringify({
    name: 'your turn', profile: 'upstream', network: { latency: '100ms' }, until: `${untilMs}ms`,
    clients: [{ name: NAMES.A, ...client }, { name: NAMES.B, ...client, startAt: '2s' }],
  });
}

/** Does the acts on a simulation, in the order of time. */
export function perform(simulation: Simulation, acts: readonly Act[]): void {
  const steps = acts.flatMap(stepsOf).sort((one, other) => one.atMs - other.atMs);
  for (const { atMs, act } of steps) {
    simulation.seek({ timeMs: atMs });
    simulation.act(act);
  }
}

function stepsOf(act: Act): { atMs: number; act: ScenarioAct }[] {
  switch (act.do) {
    case 'delete':
      return [{ atMs: act.atMs, act: { do: 'delete-row', key: KEY } }];
    case 'freeze': {
      const node = NAMES[act.client];
      const begins = { atMs: act.atMs, act: { do: 'pause', node } as const };
      return act.untilMs === undefined ? [begins] : [begins, { atMs: act.untilMs, act: { do: 'resume', node } }];
    }
    case 'lose': {
      const [client, locket] = [NAMES[act.client], LOCKET];
      const ends = act.isAnswer ? { from: locket, to: client } : { from: client, to: locket };
      return [{ atMs: act.atMs, act: { do: 'lose-messages', ...ends, count: 1, oneWay: true } }];
    }
  }
}

// -- the address: `15-5-u.fA6050-24050.lB17000.d9000`

const FREEZE = /^f([AB])(\d{1,6})-(\d{1,6})$/;
const LOSE = /^([lm])([AB])(\d{1,6})$/;
const DELETE = /^d(\d{1,6})$/;
const ACTS_MAX = 20;

/** A game as a text of some 20 characters. */
export function writePlayed({ settings: { ttlMs, retryIntervalMs, isSafe }, acts }: Played): string {
  const settings = `${ttlMs / 1_000}-${retryIntervalMs / 1_000}-${isSafe ? 's' : 'u'}`;
  return [settings, ...acts.map(writeAct)].join('.');
}

function writeAct(act: Act): string {
  if (act.do === 'delete') return `d${act.atMs}`;
  if (act.do === 'lose') return `${act.isAnswer ? 'm' : 'l'}${act.client}${act.atMs}`;
  return `f${act.client}${act.atMs}-${act.untilMs ?? act.atMs}`;
}

/** The game of a text; `undefined` if it is none. */
export function readPlayed(text: string): Played | undefined {
  const [first = '', ...rest] = text.split('.');
  const [, ttl, retry, runner] = /^(\d{1,2})-(\d{1,2})-([us])$/.exec(first) ?? [];
  const acts = rest.map(readAct);
  const settings = { ttlMs: Number(ttl) * 1_000, retryIntervalMs: Number(retry) * 1_000, isSafe: runner === 's' };
  const isWithin = (value: number, { min, max }: { min: number; max: number }): boolean => value >= min && value <= max;
  if (!isWithin(settings.ttlMs, TTL) || !isWithin(settings.retryIntervalMs, RETRY) || acts.length > ACTS_MAX || acts.includes(undefined)) return undefined;
  return { settings, acts: acts.filter((act) => act !== undefined) };
}

function readAct(text: string): Act | undefined {
  const [, frozen, from, to] = FREEZE.exec(text) ?? [];
  const [, way, client, lostAt] = LOSE.exec(text) ?? [];
  const [, deletedAt] = DELETE.exec(text) ?? [];
  const last = Number(to ?? lostAt ?? deletedAt ?? NaN);
  if (!(last <= ACT_MAX_MS)) return undefined;
  const letter = LETTERS.find((one) => one === (frozen ?? client));
  if (deletedAt !== undefined) return { do: 'delete', atMs: last };
  if (letter === undefined) return undefined;
  if (way !== undefined) return { do: 'lose', client: letter, isAnswer: way === 'm', atMs: last };
  return Number(from) < last && last - Number(from) <= FREEZE_MAX_MS ? { do: 'freeze', client: letter, atMs: Number(from), untilMs: last } : undefined;
}
