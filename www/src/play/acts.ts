// The acts of a visitor on a run, as data: a short text in the address, and actions of a simulation.

import type { Simulation } from 'locket-wasm';
import type { ScenarioAct } from 'locket-wasm/types';

import { type Letter, LETTERS, type Names } from '../story/run.js';

/** The settings of both clients. */
export interface PlaySettings {
  ttlMs: number;
  retryIntervalMs: number;
  isSafe: boolean;
  /** True if they are cells that keep presences. */
  isPresence?: boolean;
}

/** Something that the visitor does, at a moment of the run. */
export type Act =
  | { do: 'delete'; atMs: number }
  | { do: 'cut' | 'freeze'; client: Letter; atMs: number; /** `undefined` while the visitor holds it. */ untilMs: number | undefined }
  | { do: 'lose'; client: Letter; /** Whether it is the message to the client. */ isAnswer: boolean; atMs: number };

/** A client is frozen, or a cell is cut off from Locket. */
export type Hold = Extract<Act, { do: 'cut' | 'freeze' }>;

/** The last of them. */
export function holdOf(acts: readonly Act[]): Hold | undefined {
  return acts.findLast((act): act is Hold => act.do === 'freeze' || act.do === 'cut');
}

/** A game as a link has it. */
export interface Played {
  settings: PlaySettings;
  acts: readonly Act[];
  /** Other holds that were tried with these settings, in their order. */
  tried?: readonly Tried[];
}

/** A hold that was tried, as a game of its own. */
export interface Tried {
  act: Act;
  /** True if it came with a link. */
  isTheirs: boolean;
}

export const SETTINGS: PlaySettings = { ttlMs: 15_000, retryIntervalMs: 5_000, isSafe: false };
/** The ranges of the sliders, in milliseconds. */
export const TTL = { min: 5_000, max: 30_000 } as const;
export const RETRY = { min: 1_000, max: 8_000 } as const;
/** The longest freeze; longer ones show nothing else. */
export const FREEZE_MAX_MS = 60_000;
/** No act begins later than this, and no game has more of them: later ones its address could not have. */
export const ACT_MAX_MS = 600_000;
export const ACTS_MAX = 100;

export const KEY = 'bbs';
export const NAMES: Names = { A: 'bbs-0', B: 'bbs-1' };
/** The cells, and the BBS, which reads the list of them. */
export const CELLS = { A: 'cell-1', B: 'cell-2', reader: 'bbs' } as const;
const LOCKET = 'locket-0';

/** The scenario of a game: nothing goes wrong until the visitor does it. */
export function scenarioOf({ ttlMs, retryIntervalMs, isSafe, isPresence = false }: PlaySettings, untilMs: number): string {
  const client = { ttl: `${ttlMs}ms`, retryInterval: `${retryIntervalMs}ms`, runner: isSafe ? 'safe' : 'upstream' };
  const cell = (name: string): object => ({ name, kind: 'presence', key: name, ...client });
  const rest = isPresence
    ? { clients: [cell(CELLS.A), { ...cell(CELLS.B), startAt: '2s' }, { name: CELLS.reader, kind: 'presence', key: CELLS.reader }], actions: [{ at: '3s', do: 'fetch-all', node: CELLS.reader, every: '5s', until: `${untilMs}ms` }] }
    : { clients: [{ name: NAMES.A, key: KEY, ...client }, { name: NAMES.B, key: KEY, ...client, startAt: '2s' }] };
  return JSON.stringify({ name: 'your turn', profile: 'upstream', network: { latency: '100ms' }, until: `${untilMs}ms`, ...rest });
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
    case 'cut': {
      const link = { from: CELLS[act.client], to: LOCKET };
      const begins = { atMs: act.atMs, act: { do: 'cut', ...link } as const };
      return act.untilMs === undefined ? [begins] : [begins, { atMs: act.untilMs, act: { do: 'heal', ...link } }];
    }
    case 'lose': {
      const [client, locket] = [NAMES[act.client], LOCKET];
      const ends = act.isAnswer ? { from: locket, to: client } : { from: client, to: locket };
      return [{ atMs: act.atMs, act: { do: 'lose-messages', ...ends, count: 1, oneWay: true } }];
    }
  }
}

// -- the address: `15-5-u.fA6050-24050.lB17000.d9000`, and the tries before it: `~fA6050-12550`, `*fA6050-24550` if they are theirs

const HOLD = /^([cf])([AB])(\d{1,6})-(\d{1,6})$/;
const LOSE = /^([lm])([AB])(\d{1,6})$/;
const DELETE = /^d(\d{1,6})$/;
/** So many tries are remembered. */
export const TRIES_MAX = 20;

/** A game as a text of some 20 characters, and 13 for each try. */
export function writePlayed({ settings: { ttlMs, retryIntervalMs, isSafe, isPresence = false }, acts, tried = [] }: Played): string {
  const settings = `${ttlMs / 1_000}-${retryIntervalMs / 1_000}-${isPresence ? 'p' : isSafe ? 's' : 'u'}`;
  return [settings, ...acts.map(writeAct)].join('.') + tried.map(({ act, isTheirs }) => (isTheirs ? '*' : '~') + writeAct(act)).join('');
}

function writeAct(act: Act): string {
  if (act.do === 'delete') return `d${act.atMs}`;
  if (act.do === 'lose') return `${act.isAnswer ? 'm' : 'l'}${act.client}${act.atMs}`;
  return `${act.do === 'cut' ? 'c' : 'f'}${act.client}${act.atMs}-${act.untilMs ?? act.atMs}`;
}

/** The game of a text; `undefined` if it is none. */
export function readPlayed(text: string): Played | undefined {
  const [game = '', ...holds] = text.split(/(?=[~*])/);
  const [first = '', ...rest] = game.split('.');
  const [, ttl, retry, runner] = /^(\d{1,2})-(\d{1,2})-([psu])$/.exec(first) ?? [];
  const acts = rest.map(readAct);
  const settings = { ttlMs: Number(ttl) * 1_000, retryIntervalMs: Number(retry) * 1_000, isSafe: runner === 's', isPresence: runner === 'p' };
  const isWithin = (value: number, { min, max }: { min: number; max: number }): boolean => value >= min && value <= max;
  if (!isWithin(settings.ttlMs, TTL) || !isWithin(settings.retryIntervalMs, RETRY) || acts.length > ACTS_MAX || acts.includes(undefined)) return undefined;
  const known = acts.filter((act) => act !== undefined);
  // A visitor cuts cell A off, and does to clients of a lock anything else.
  const fits = (act: Act): boolean => (settings.isPresence ? act.do === 'cut' && act.client === 'A' : act.do !== 'cut');
  const tried = holds.map((hold) => ({ act: readAct(hold.slice(1)), isTheirs: hold.startsWith('*') })).filter((one): one is Tried => one.act !== undefined && fits(one.act));
  return known.every(fits) && tried.length === holds.length && tried.length <= TRIES_MAX ? { settings, acts: known, tried } : undefined;
}

function readAct(text: string): Act | undefined {
  const [, kind, held, from, to] = HOLD.exec(text) ?? [];
  const [, way, client, lostAt] = LOSE.exec(text) ?? [];
  const [, deletedAt] = DELETE.exec(text) ?? [];
  const atMs = Number(from ?? lostAt ?? deletedAt ?? NaN);
  const forMs = Number(to) - atMs;
  if (!(atMs <= ACT_MAX_MS)) return undefined;
  const letter = LETTERS.find((one) => one === (held ?? client));
  if (deletedAt !== undefined) return { do: 'delete', atMs };
  if (letter === undefined) return undefined;
  if (way !== undefined) return { do: 'lose', client: letter, isAnswer: way === 'm', atMs };
  return forMs > 0 && forMs <= FREEZE_MAX_MS ? { do: kind === 'c' ? 'cut' : 'freeze', client: letter, atMs, untilMs: atMs + forMs } : undefined;
}
