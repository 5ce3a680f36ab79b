// From a diagnosis to a scenario that does the same again, and to the bounds within which settings would have to be safe. What is not
// known, such as the moment of a crash, is taken from where it is likeliest.

import type { Question } from '../question.js';
import type { Scenario, ScenarioAction, ScenarioClient, ScenarioExpectation } from '../scenario-value.js';
import { lastWhere } from './arrays.js';
import type { CauseKind, Diagnosis, Finding, KeyTimeline, Lane, LanePart } from './model.js';

/** A finding, and what shows it again. */
export interface Reproduction {
  finding: Finding;
  scenario: Scenario;
  /** What went wrong, as bounds of a question about settings. */
  question: Question;
}

const TTL_MS = 15_000;
/** Renewals before the incident that the scenario has. */
const RENEWALS = 2;
/** How long it goes on after the last thing that is known. */
const AFTER_MS = 2_000;
/** Shorter times are not looked at: a simulation has other latencies. */
const LEAST_MS = 400;

/** Those about rows; how late another Locket deletes a row depends on when it scans, which no line says. */
const OF_ROWS: readonly Finding['kind'][] = ['holder-without-row', 'no-row', 'row-deleted', 'table-dropped'];

/** What each cause does to the nodes, and the bounds that belong to it. */
const RECIPES: Partial<Record<CauseKind, (stage: Stage) => Question>> = {
  'holder-frozen': frozen,
  'holder-vanished': crashed,
  'planned-stop': stopped,
  'same-owner-name': twin,
  'row-deleted': deleted,
  'table-dropped': dropped,
  'locket-crash': locketDown,
  'locket-restart': locketDown,
  'locket-frozen': locketFrozen,
  'database-outage': databaseDown,
  'database-slow': databaseSlow,
  'slow-replies': slowReplies,
  'slow-requests': cutOff,
};

/** The scenario of the worst finding that one can be made of; `null` if there is none. */
export function reproductionOf(diagnosis: Diagnosis): Reproduction | null {
  for (const finding of diagnosis.findings) {
    const timeline = diagnosis.keys.find(({ key }) => key === finding.key);
    const recipe = RECIPES[finding.causeKind];
    const stage = timeline === undefined || recipe === undefined ? undefined : Stage.of(diagnosis, finding, timeline);
    if (stage === undefined || recipe === undefined) continue;
    const bounds = recipe(stage);
    return { finding, scenario: stage.scenario(), question: { ...stage.settings(), ...bounds } };
  }
  return null;
}

/** Who takes part, and what is done when; times are those of the logs until the scenario is written. */
class Stage {
  readonly #actions: { atMs: number; act: Record<string, unknown> }[] = [];
  readonly #expected: { atMs: number; expectation: ScenarioExpectation }[] = [];
  processes = 1;
  readonly ttlMs: number;
  readonly retryMs: number;
  readonly startMs: number;

  private constructor(
    readonly diagnosis: Diagnosis,
    readonly finding: Finding,
    readonly timeline: KeyTimeline,
    readonly lane: Lane,
    /** The holder's belief that the finding is about. */
    readonly held: LanePart,
    readonly row: LanePart | undefined,
  ) {
    this.ttlMs = Math.max(1000, Math.ceil((timeline.ttlMs ?? TTL_MS) / 1000) * 1000);
    this.retryMs = timeline.retryMs ?? this.ttlMs / 3;
    const renewals = Math.max(0, Math.min(RENEWALS, Math.floor((this.renewedMs() - held.fromMs) / this.retryMs)));
    this.startMs = this.renewedMs() - renewals * this.retryMs;
  }

  /** The holder: whose belief or row the finding ends. */
  static of(diagnosis: Diagnosis, finding: Finding, timeline: KeyTimeline): Stage | undefined {
    const clients = timeline.lanes.filter(({ kind }) => kind === 'client');
    const candidates = clients.flatMap((lane) => lane.parts.filter(({ fromMs }) => fromMs <= finding.fromMs + LEAST_MS).map((part) => ({ lane, part })));
    const own = candidates.filter(({ lane, part }) => part.owner === finding.owners[0] && lane.name === (finding.processes[0] ?? lane.name));
    const { lane, part } = (own.length === 0 ? candidates : own).sort((a, b) => a.part.fromMs - b.part.fromMs).at(-1) ?? {};
    if (lane === undefined || part === undefined) return undefined;
    const rows = timeline.lanes.find(({ kind }) => kind === 'row')?.parts ?? [];
    return new Stage(diagnosis, finding, timeline, lane, part, lastWhere(rows, ({ owner, fromMs }) => owner === part.owner && fromMs <= Math.min(part.toMs, finding.fromMs)));
  }

  /** The holder's last renewal that went well before the finding. */
  renewedMs(): number {
    const { held, row, retryMs, finding } = this;
    const passed = Math.max(0, finding.fromMs - held.fromMs);
    const regular = held.fromMs + Math.floor(passed / retryMs) * retryMs;
    if (finding.causeKind === 'same-owner-name') return regular;
    if (row?.renewedMs !== undefined && row.renewedMs !== null && row.renewedMs > held.fromMs && row.renewedMs <= held.toMs) return row.renewedMs;
    if (held.end !== 'lost') return regular;
    // Refused at once, or given up after the interval.
    const tries = finding.causeKind === 'database-outage' || finding.causeKind === 'row-deleted' ? 1 : 2;
    return Math.max(held.fromMs, held.toMs - tries * retryMs);
  }

  do(atMs: number, act: Record<string, unknown>): void {
    this.#actions.push({ atMs, act });
  }

  /** Starts the holder again when it has the key again. */
  restart(): void {
    const again = this.lane.parts.find(({ fromMs }) => fromMs > this.held.toMs);
    if (again !== undefined && again.fromMs - this.held.toMs < FAR_MS) this.do(again.fromMs, { do: 'start', node: this.name(this.lane) });
  }

  /** The next client that gets the key after the holder has it no more, or that has it at the same time. */
  successor(): { lane: Lane; part: LanePart } | undefined {
    const others = this.timeline.lanes.filter((lane) => lane.kind === 'client' && lane !== this.lane);
    const parts = others.flatMap((lane) => lane.parts.map((part) => ({ lane, part })));
    return parts.filter(({ part }) => part.fromMs > this.held.fromMs && part.fromMs < this.held.toMs + FAR_MS).sort((a, b) => a.part.fromMs - b.part.fromMs)[0];
  }

  /** Names of nodes that a client cannot have get another one. */
  name({ name }: Lane): string {
    return /^(?:database|locket(?:-\d+)?)$/.test(name) ? `client ${name}` : name;
  }

  settings(): Question {
    return { ttlSeconds: this.ttlMs / 1000, retryIntervalMs: this.retryMs, clients: [{}, {}] };
  }

  scenario(): Scenario {
    this.#expectFindings();
    const clients = [this.#client(this.lane, 0), ...this.#others()];
    const names = new Set(clients.map(({ name }) => name));
    const until = Math.max(this.finding.toMs, ...this.#actions.map(({ atMs }) => atMs), ...this.#expected.map(({ atMs }) => atMs)) + AFTER_MS;
    const actions = this.#actions.filter(({ act }) => !('node' in act) || names.has(act['node'] as string) || /^(?:database|locket(?:-\d+)?)$/.test(String(act['node'])));
    return {
      name: this.finding.summary,
      description: `Made of real logs: ${this.finding.cause}`,
      profile: 'upstream',
      processes: this.processes,
      until: this.#time(until),
      clients,
      actions: actions.sort((a, b) => a.atMs - b.atMs).map(({ atMs, act }) => ({ at: this.#time(atMs), ...act }) as ScenarioAction),
      expect: this.#expected.map(({ expectation }) => expectation),
    };
  }

  /** The findings of the key that last long enough, each as it is in its middle. */
  #expectFindings(): void {
    const { key } = this.timeline;
    const known = new Set([this.lane, ...this.#lanes()].map(({ name }) => name));
    for (const { kind, key: its, fromMs, toMs, processes, isOpen } of this.diagnosis.findings) {
      const isShown = its === key && !isOpen && toMs - fromMs >= LEAST_MS && fromMs >= this.startMs && toMs <= this.finding.toMs + FAR_MS / 4;
      if (!isShown || !processes.every((name) => known.has(name))) continue;
      const atMs = (fromMs + toMs) / 2;
      const at = this.#time(atMs);
      const names = this.timeline.lanes.filter(({ name }) => processes.includes(name)).map((lane) => this.name(lane));
      if (kind === 'two-owners') this.#expected.push({ atMs, expectation: { at, key, believers: names.sort() } });
      if (kind === 'nobody-holding') this.#expected.push({ atMs, expectation: { at, key, believers: [] } });
      if (kind === 'no-row' && OF_ROWS.includes(this.finding.kind)) this.#expected.push({ atMs, expectation: { at, key, owner: null } });
    }
  }

  /** Those that matter: a twin of the holder, and its successor. */
  #lanes(): Lane[] {
    const next = this.successor();
    const after = next === undefined ? [] : this.timeline.lanes.filter((lane) => lane.parts.some(({ fromMs }) => fromMs > next.part.fromMs && fromMs < next.part.toMs + FAR_MS));
    const others = [...(next === undefined ? [] : [next.lane]), ...after].filter((lane) => lane.kind === 'client' && lane !== this.lane);
    return [...new Set(others)];
  }

  /** A standby's attempts come in its interval; one of them takes the key when the logs say so. */
  #others(): ScenarioClient[] {
    return this.#lanes().flatMap((lane) => {
      const part = lane.parts.find(({ fromMs }) => fromMs > this.held.fromMs);
      if (part === undefined) return [];
      const isTwin = part.owner === this.held.owner;
      const attempts = isTwin ? 0 : Math.max(0, Math.ceil((part.fromMs - this.startMs) / this.retryMs) - 1);
      return [this.#client(lane, Math.max(1, part.fromMs - this.startMs - attempts * this.retryMs))];
    });
  }

  #client(lane: Lane, startMs: number): ScenarioClient {
    const name = this.name(lane);
    const owner = lane.parts[0]?.owner ?? name;
    return {
      name,
      ...(this.timeline.kind === 'presence' && { kind: 'presence' as const }),
      key: this.timeline.key,
      owner,
      ttl: `${this.ttlMs / 1000}s`,
      retry: `${this.retryMs}ms`,
      start: `${Math.round(startMs)}ms`,
    };
  }

  #time(ms: number): string {
    return `${Math.max(0, Math.round(ms - this.startMs))}ms`;
  }
}

/** Things that are farther apart have nothing to do with each other. */
const FAR_MS = 120_000;

// -- the recipes: what was done, by the cause

function frozen(stage: Stage): Question {
  const fromMs = stage.renewedMs() + stage.retryMs / 2;
  const again = stage.row === undefined ? stage.held.toMs : nextRowOf(stage)?.fromMs;
  const toMs = stage.held.end === 'open' ? (again ?? stage.finding.toMs) : stage.held.toMs;
  stage.do(fromMs, { do: 'pause', node: stage.name(stage.lane), for: length(toMs - fromMs) });
  return { pause: seconds(toMs - fromMs), property: { is: 'one-owner' } };
}

/** The row with which the holder came back. */
function nextRowOf({ timeline, held, finding }: Stage): LanePart | undefined {
  const rows = timeline.lanes.find(({ kind }) => kind === 'row')?.parts ?? [];
  return rows.find(({ owner, fromMs }) => owner === held.owner && fromMs > finding.fromMs);
}

function crashed(stage: Stage): Question {
  const { held, lane } = stage;
  stage.do(Math.max(held.toMs, stage.startMs + 1), { do: 'crash', node: stage.name(lane) });
  stage.restart();
  return { crashes: 1, property: { is: 'handover', within: seconds(stage.ttlMs + stage.retryMs) } };
}

function stopped(stage: Stage): Question {
  stage.do(stage.held.toMs, { do: 'stop', node: stage.name(stage.lane) });
  stage.restart();
  return { stops: 1, property: { is: 'one-owner' } };
}

function twin(stage: Stage): Question {
  for (const { name, parts } of stage.timeline.lanes) {
    const part = parts.find(({ owner, end }) => owner === stage.held.owner && end === 'stopped');
    const lane = stage.timeline.lanes.find((one) => one.name === name && one.kind === 'client');
    if (part !== undefined && lane !== undefined) stage.do(part.toMs, { do: 'stop', node: stage.name(lane) });
  }
  return { property: { is: 'one-owner' } };
}

function deleted(stage: Stage): Question {
  const { row, held } = stage;
  stage.do(row?.toMs ?? held.toMs, { do: 'delete-row', key: stage.timeline.key });
  return { evictions: 1, property: { is: 'one-owner' } };
}

/** Locket notices at the next request, and is started again. */
function dropped(stage: Stage): Question {
  const restart = stage.diagnosis.findings.find(({ kind, fromMs }) => kind === 'locket-restart' && Math.abs(fromMs - stage.finding.toMs) < FAR_MS);
  const again = nextRowOf(stage);
  stage.do(stage.row?.toMs ?? stage.finding.fromMs, { do: 'drop-table' });
  if (restart !== undefined) {
    stage.do(restart.fromMs, { do: 'crash', node: 'locket' });
    stage.do(restart.toMs, { do: 'start', node: 'locket' });
  }
  if (again === undefined) stage.restart();
  return { evictions: 1, property: { is: 'one-owner' } };
}

/** Its clients know it alone: they lost their lock, though others were there. */
function locketDown(stage: Stage): Question {
  const all = stage.diagnosis.findings.filter(({ kind }) => kind === 'locket-crash' || kind === 'locket-restart');
  const down = lastWhere([...all].sort((a, b) => a.fromMs - b.fromMs), ({ fromMs }) => fromMs <= stage.held.toMs);
  const successor = stage.successor();
  const lockets = new Set(stage.diagnosis.clocks.filter(({ owner }) => owner === null).map(({ machine }) => machine));
  // Only another process can have served the successor meanwhile.
  const isAlone = successor === undefined || lockets.size < 2 || (down !== undefined && successor.part.fromMs > down.toMs);
  stage.processes = isAlone ? 1 : 2;
  const fromMs = Math.min(Math.max(down?.fromMs ?? 0, stage.renewedMs() + 1), stage.renewedMs() + stage.retryMs - 1);
  if (!isAlone) {
    stage.do(stage.startMs, { do: 'cut', from: stage.name(stage.lane), to: 'locket-1' });
    stage.do(stage.startMs, { do: 'cut', from: stage.name(successor.lane), to: 'locket-0' });
  }
  stage.do(fromMs, { do: 'crash', node: 'locket-0' });
  if (down !== undefined && !down.isOpen) stage.do(down.toMs, { do: 'start', node: 'locket-0' });
  stage.restart();
  return { locketCrashes: 1, locketDown: seconds((down?.toMs ?? stage.held.toMs) - fromMs), property: { is: 'false-loss' } };
}

function locketFrozen(stage: Stage): Question {
  const found = near(stage, 'locket-frozen');
  const fromMs = stage.renewedMs() + stage.retryMs / 2;
  const toMs = Math.max(found?.toMs ?? 0, stage.held.toMs + 1);
  stage.do(fromMs, { do: 'pause', node: 'locket', for: length(toMs - fromMs) });
  stage.restart();
  return { delay: seconds(toMs - fromMs), property: { is: 'false-loss' } };
}

function databaseDown(stage: Stage): Question {
  const found = near(stage, 'database-outage');
  stage.do(Math.max(stage.startMs + 1, stage.held.toMs - stage.retryMs / 2), { do: 'crash', node: 'database' });
  if (found !== undefined) stage.do(Math.max(found.toMs, stage.held.toMs + 1), { do: 'start', node: 'database' });
  stage.restart();
  return { lostAnswers: 1, property: { is: 'false-loss' } };
}

function databaseSlow(stage: Stage): Question {
  const found = near(stage, 'database-slow');
  const fromMs = stage.renewedMs() + stage.retryMs / 2;
  const toMs = Math.max(found?.toMs ?? 0, stage.held.toMs + 1);
  stage.do(fromMs, { do: 'stall', for: length(toMs - fromMs) });
  stage.restart();
  return { delay: seconds(stage.retryMs), property: { is: 'false-loss' } };
}

function slowReplies(stage: Stage): Question {
  const found = near(stage, 'slow-replies');
  const fromMs = stage.renewedMs() + 1;
  const names = [stage.lane, ...(stage.successor() === undefined ? [] : [stage.successor()?.lane as Lane])].map((lane) => stage.name(lane));
  for (const name of names) {
    stage.do(fromMs, { do: 'latency', from: 'locket', to: name, oneWay: true, latency: length(stage.retryMs * 1.2) });
    stage.do(Math.max(found?.toMs ?? 0, stage.held.toMs + 1), { do: 'latency', from: 'locket', to: name, oneWay: true, latency: '0ms' });
  }
  stage.restart();
  return { delay: seconds(stage.retryMs * 1.2), property: { is: 'false-loss' } };
}

function cutOff(stage: Stage): Question {
  const found = near(stage, 'slow-requests');
  const name = stage.name(stage.lane);
  stage.do(stage.renewedMs() + stage.retryMs / 2, { do: 'cut', from: name, to: 'locket' });
  stage.do(Math.max(found?.toMs ?? 0, stage.held.toMs + 1), { do: 'heal', from: name, to: 'locket' });
  stage.restart();
  return { losses: 1, property: { is: 'false-loss' } };
}

/** The circumstance that the holder met. */
function near({ diagnosis, held }: Stage, kind: Finding['kind']): Finding | undefined {
  return diagnosis.findings.find((finding) => finding.kind === kind && finding.fromMs <= held.toMs && finding.toMs >= held.toMs - FAR_MS);
}

const length = (ms: number) => `${Math.max(1, Math.round(ms))}ms`;
/** Bounds are asked in whole seconds, which searches take less time for. */
const seconds = (ms: number) => `${Math.max(1, Math.ceil(ms / 1000))}s`;
