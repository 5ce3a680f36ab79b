// The stage of an incident, as a scenario has it: who takes part, when, and what is done to whom. Knows no causes.

import { TTL_DEFAULT_MS } from '../base/constants.js';
import type { Duration } from '../base/duration.js';
import type { Faults, Question } from '../check/question.js';
import type { Scenario, ScenarioAction, ScenarioClient, ScenarioExpectation } from '../simulation/scenario-value.js';
import type { Diagnosis, Finding, KeyTimeline, Lane, LanePart } from './model.js';

/** Renewals before the incident that the scenario has. */
const RENEWALS = 2;
/** How long it goes on after the last thing that is known. */
const AFTER_MS = 2_000;
/** Shorter times are not looked at: a simulation has other latencies. */
const LEAST_MS = 400;

/** Things that are farther apart have nothing to do with each other. */
export const FAR_MS = 120_000;

/** Who takes part, and what is done when; times are those of the logs until the scenario is written. */
export class Stage {
  readonly #actions: { atMs: number; act: Record<string, unknown> }[] = [];
  readonly #expected: { atMs: number; expectation: ScenarioExpectation }[] = [];
  processes = 1;
  /** In place of the scenario's, whose messages take no time. */
  latency: Duration | undefined = '1s';
  /** In place of the scenario's. */
  readonly faults: Faults = {};
  readonly ttlMs: number;
  readonly retryIntervalMs: number;
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
    this.ttlMs = Math.max(1000, Math.ceil((timeline.ttlMs ?? TTL_DEFAULT_MS) / 1000) * 1000);
    this.retryIntervalMs = timeline.retryIntervalMs ?? this.ttlMs / 3;
    const renewals = Math.max(0, Math.min(RENEWALS, Math.floor((this.renewedMs() - held.fromMs) / this.retryIntervalMs)));
    this.startMs = this.renewedMs() - renewals * this.retryIntervalMs;
  }

  /** The holder: whose belief or row the finding ends. */
  static of(diagnosis: Diagnosis, finding: Finding, timeline: KeyTimeline): Stage | undefined {
    const clients = timeline.lanes.filter(({ kind }) => kind === 'client');
    const candidates = clients.flatMap((lane) => lane.parts.filter(({ fromMs }) => fromMs <= finding.fromMs + LEAST_MS).map((part) => ({ lane, part })));
    const own = candidates.filter(({ lane, part }) => part.owner === finding.owners[0] && lane.name === (finding.processes[0] ?? lane.name));
    const { lane, part } = (own.length === 0 ? candidates : own).sort((a, b) => a.part.fromMs - b.part.fromMs).at(-1) ?? {};
    if (lane === undefined || part === undefined) return undefined;
    const rows = timeline.lanes.find(({ kind }) => kind === 'row')?.parts ?? [];
    return new Stage(diagnosis, finding, timeline, lane, part, rows.findLast(({ owner, fromMs }) => owner === part.owner && fromMs <= Math.min(part.toMs, finding.fromMs)));
  }

  /** The holder's last renewal that went well before the finding. */
  renewedMs(): number {
    const { held, row, retryIntervalMs, finding } = this;
    const passed = Math.max(0, finding.fromMs - held.fromMs);
    const regular = held.fromMs + Math.floor(passed / retryIntervalMs) * retryIntervalMs;
    if (finding.causeKind === 'same-owner-name') return regular;
    if (row?.renewedMs !== undefined && row.renewedMs !== null && row.renewedMs > held.fromMs && row.renewedMs <= held.toMs) return row.renewedMs;
    if (held.end !== 'lost') return regular;
    // Refused at once, or given up after the interval.
    const tries = finding.causeKind === 'database-outage' || finding.causeKind === 'row-deleted' ? 1 : 2;
    return Math.max(held.fromMs, held.toMs - tries * retryIntervalMs);
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

  /** The question for a search: in whole seconds, since other times take long, and with at least two clients. */
  settings(): Question {
    const clients = Array.from({ length: Math.max(2, 1 + this.#others().length) }, () => ({}));
    const retryIntervalMs = Math.max(1000, Math.round(this.retryIntervalMs / 1000) * 1000);
    const kind = this.timeline.kind === 'presence' ? { kind: this.timeline.kind } : {};
    const times = { ttl: `${this.ttlMs}ms`, retryInterval: `${retryIntervalMs}ms` } as const;
    return { ...kind, runner: 'upstream', profile: 'upstream', ...times, clients, processes: this.processes, ...(this.latency && { latency: this.latency }), faults: this.faults };
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
      // How late another Locket deletes a row depends on when it scans, which no line says.
      if (kind === 'no-row' && this.finding.kind === 'table-dropped') this.#expected.push({ atMs, expectation: { at, key, owner: null } });
    }
  }

  /** The relevant clients: one with the holder's owner name, and its successor. */
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
      const attempts = isTwin ? 0 : Math.max(0, Math.ceil((part.fromMs - this.startMs) / this.retryIntervalMs) - 1);
      return [this.#client(lane, Math.max(1, part.fromMs - this.startMs - attempts * this.retryIntervalMs))];
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
      retryInterval: `${this.retryIntervalMs}ms`,
      runner: 'upstream',
      startAt: `${Math.round(startMs)}ms`,
    };
  }

  #time(ms: number): Duration {
    return `${Math.max(0, Math.round(ms - this.startMs))}ms`;
  }
}
