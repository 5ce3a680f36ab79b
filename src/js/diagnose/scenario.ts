// Makes a scenario of a diagnosis that repeats it, and the question about its settings. An unknown fact, such as the moment of a
// crash, gets its likeliest value. Which faults the scenario has is the checker's to say.

import { madeBy } from '../base/checks.js';
import type { Duration } from '../base/duration.js';
import type { Property, Question } from '../check/question.js';
import type { Scenario } from '../simulation/scenario-value.js';
import type { CauseKind, Diagnosis, Finding, LanePart } from './model.js';
import { FAR_MS, Stage } from './stage.js';

/** A finding, and what shows it again. */
export interface Reproduction {
  finding: Finding;
  scenario: Scenario;
  /**
   * Could settings have prevented it? Two clients at least, in whole seconds. Its bounds are the faults of the scenario, which
   * `questionOfRun` names. Its own faults come in the place of those.
   */
  question: Question;
}

/** The actions of each cause on the nodes; each returns the property that fails. */
const RECIPES: Partial<Record<CauseKind, (stage: Stage) => Property>> = {
  'holder-frozen': frozen,
  'holder-vanished': crashed,
  'planned-stop': stopped,
  'same-owner-name': sameOwner,
  'row-deleted': deleted,
  'table-dropped': dropped,
  'locket-crash': locketDown,
  'locket-restart': locketDown,
  'locket-frozen': (stage) => lasting(stage, 'locket-frozen', { do: 'pause', node: 'locket' }),
  'database-outage': databaseDown,
  'database-slow': (stage) => lasting(stage, 'database-slow', { do: 'stall' }),
  'slow-replies': slowReplies,
  'slow-requests': (stage) => lasting(stage, 'slow-requests', { do: 'cut', from: stage.name(stage.lane), to: 'locket' }),
};

/** Makes a scenario of the worst finding that allows one; `null` if none does. */
export function reproductionOf(diagnosis: Diagnosis): Reproduction | null {
  return madeBy('diagnose()', 'diagnosis', diagnosis, ({ findings, keys }) => {
    let worst: Reproduction | null = null;
    for (const finding of findings) {
      const timeline = keys.find(({ key }) => key === finding.key);
      const recipe = RECIPES[finding.causeKind];
      const stage = timeline && recipe && Stage.of(diagnosis, finding, timeline);
      if (stage === undefined || recipe === undefined) continue;
      const property = recipe(stage);
      const found = { finding, scenario: stage.scenario(), question: { ...stage.settings(), property } };
      // One that shows nothing again is better than none.
      if (found.scenario.expect?.length !== 0) return found;
      worst ??= found;
    }
    return worst;
  });
}

// -- the recipes: what was done, by the cause

function frozen(stage: Stage): Property {
  const fromMs = stage.renewedMs() + stage.retryIntervalMs / 2;
  const again = stage.row === undefined ? stage.held.toMs : nextRowOf(stage)?.fromMs;
  const toMs = stage.held.end === 'open' ? (again ?? stage.finding.toMs) : stage.held.toMs;
  stage.do(fromMs, { do: 'pause', node: stage.name(stage.lane), for: length(toMs - fromMs) });
  return { is: 'one-owner' };
}

/** The row with which the holder came back. */
function nextRowOf({ timeline, held, finding }: Stage): LanePart | undefined {
  const rows = timeline.lanes.find(({ kind }) => kind === 'row')?.parts ?? [];
  return rows.find(({ owner, fromMs }) => owner === held.owner && fromMs > finding.fromMs);
}

function crashed(stage: Stage): Property {
  const { held, lane } = stage;
  stage.do(Math.max(held.toMs, stage.startMs + 1), { do: 'crash', node: stage.name(lane) });
  stage.restart();
  return { is: 'no-client-acts', allow: seconds(stage.ttlMs + stage.retryIntervalMs) };
}

function stopped(stage: Stage): Property {
  stage.do(stage.held.toMs, { do: 'stop', node: stage.name(stage.lane) });
  stage.restart();
  return { is: 'one-owner' };
}

function sameOwner(stage: Stage): Property {
  for (const lane of stage.timeline.lanes.filter(({ kind }) => kind === 'client')) {
    const part = lane.parts.find(({ owner, end }) => owner === stage.held.owner && end === 'stopped');
    if (part !== undefined) stage.do(part.toMs, { do: 'stop', node: stage.name(lane) });
  }
  return { is: 'one-owner' };
}

function deleted(stage: Stage): Property {
  const { row, held } = stage;
  stage.do(row?.toMs ?? held.toMs, { do: 'delete-row', key: stage.timeline.key });
  return { is: 'one-owner' };
}

/** Locket notices at the next request, and is started again. */
function dropped(stage: Stage): Property {
  const restart = stage.diagnosis.findings.find(({ kind, fromMs }) => kind === 'locket-restart' && Math.abs(fromMs - stage.finding.toMs) < FAR_MS);
  const again = nextRowOf(stage);
  stage.do(stage.row?.toMs ?? stage.finding.fromMs, { do: 'drop-table' });
  if (restart !== undefined) {
    stage.do(restart.fromMs, { do: 'crash', node: 'locket' });
    stage.do(restart.toMs, { do: 'start', node: 'locket' });
  }
  if (again === undefined) stage.restart();
  // To its owner, a dropped table is a deleted row.
  stage.faults.rowDeletion = 1;
  return { is: 'one-owner' };
}

/** Its clients know it alone: they lost their lock, though others were there. */
function locketDown(stage: Stage): Property {
  const all = stage.diagnosis.findings.filter(({ kind }) => kind === 'locket-crash' || kind === 'locket-restart');
  const down = [...all].sort((a, b) => a.fromMs - b.fromMs).findLast(({ fromMs }) => fromMs <= stage.held.toMs);
  const successor = stage.successor();
  const lockets = new Set(stage.diagnosis.clocks.filter(({ owner }) => owner === null).map(({ machine }) => machine));
  // Only another process can have served the successor meanwhile.
  const isAlone = successor === undefined || lockets.size < 2 || (down !== undefined && successor.part.fromMs > down.toMs);
  stage.processes = isAlone ? 1 : 2;
  const fromMs = Math.min(Math.max(down?.fromMs ?? 0, stage.renewedMs() + 1), stage.renewedMs() + stage.retryIntervalMs - 1);
  if (!isAlone) {
    // These cuts never heal: they only decide which Locket a client asks.
    stage.faults.partition = 0;
    stage.do(stage.startMs, { do: 'cut', from: stage.name(stage.lane), to: 'locket-1' });
    stage.do(stage.startMs, { do: 'cut', from: stage.name(successor.lane), to: 'locket-0' });
  }
  stage.do(fromMs, { do: 'crash', node: 'locket-0' });
  if (down !== undefined && !down.isOpen) stage.do(down.toMs, { do: 'start', node: 'locket-0' });
  return lostLock(stage);
}

/** What lasted until the holder had lost its lock. */
function lasting(stage: Stage, kind: Finding['kind'], act: Record<string, unknown>): Property {
  const { fromMs, toMs } = timeOf(stage, kind);
  stage.do(fromMs, { ...act, for: length(toMs - fromMs) });
  return lostLock(stage);
}

function databaseDown(stage: Stage): Property {
  const isOver = near(stage, 'database-outage') !== undefined;
  stage.do(Math.max(stage.startMs + 1, stage.held.toMs - stage.retryIntervalMs / 2), { do: 'crash', node: 'database' });
  if (isOver) stage.do(timeOf(stage, 'database-outage').toMs, { do: 'start', node: 'database' });
  return lostLock(stage);
}

function slowReplies(stage: Stage): Property {
  stage.latency = undefined;
  const successor = stage.successor();
  const names = [stage.lane, ...(successor === undefined ? [] : [successor.lane])].map((lane) => stage.name(lane));
  for (const name of names) {
    const link = { do: 'set-latency', from: 'locket', to: name, oneWay: true };
    stage.do(stage.renewedMs() + 1, { ...link, latency: length(stage.retryIntervalMs * 1.2) });
    stage.do(timeOf(stage, 'slow-replies').toMs, { ...link, latency: '0ms' });
  }
  return lostLock(stage);
}

/** From after the holder's last renewal until the circumstance is over, and the holder has lost its lock. */
function timeOf(stage: Stage, kind: Finding['kind']): { fromMs: number; toMs: number } {
  const toMs = Math.max(near(stage, kind)?.toMs ?? 0, stage.held.toMs + 1);
  return { fromMs: stage.renewedMs() + stage.retryIntervalMs / 2, toMs };
}

/** Its lock was lost though it was running. */
function lostLock(stage: Stage): Property {
  stage.restart();
  return { is: 'false-loss' };
}

/** The circumstance that the holder met. */
function near({ diagnosis, held }: Stage, kind: Finding['kind']): Finding | undefined {
  return diagnosis.findings.find((finding) => finding.kind === kind && finding.fromMs <= held.toMs && finding.toMs >= held.toMs - FAR_MS);
}

const length = (ms: number) => `${Math.max(1, Math.round(ms))}ms`;
const seconds = (ms: number): Duration => `${Math.max(1, Math.ceil(ms / 1000))}s`;
