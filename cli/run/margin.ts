// `run --margin`: the safety margin of a run, moment by moment.

import { LocketArgumentError, Simulation } from 'locket-wasm';
import { safetyMargin } from 'locket-wasm/check';
import type { SafetyMargin, SafetyMarginOptions } from 'locket-wasm/types';

import { length } from '../../src/js/base/times.js';
import { EXIT_FAILED, Failure } from '../command.js';
import { type Line, type Report, toned } from '../report.js';
import { withScenario } from '../scenario-file.js';
import { status } from '../terminal.js';

interface Options extends Pick<SafetyMarginOptions, 'fault' | 'maxPause' | 'maxSteps' | 'node' | 'step'> {
  json?: true;
  margin?: true;
}

/**
 * A pause begins right before the events of its moment, or right after them at a moment with a "+". Faults in force go on as in the
 * run, and later messages take the latency of their links.
 */
export const MARGIN = {
  by: 'margin',
  takes: ['fault', 'node', 'maxPause', 'step', 'maxSteps', 'json'],
  work: drawMargin,
};

async function drawMargin(file: string, { json: _, margin: __, maxSteps, ...options }: Options): Promise<Report> {
  const onProgress = ({ moments, total }: { moments: number; total: number }) => status.show(`${moments} of ${total} moments`);
  const limit = maxSteps === undefined ? {} : { maxSteps };
  using simulation = withScenario(file, (text) => new Simulation(text, limit));
  const margin = await marginOf(simulation, { ...options, ...limit, onProgress });
  const { text, pointOfNoReturnMs: fromMs } = margin;
  return {
    text: () => text.trimEnd().split('\n').map(withBar),
    json: [margin],
    failure: fromMs === null ? undefined : new Failure(EXIT_FAILED, `from ${length(fromMs)} on ${margin.harm === 'two-owners' ? 'two owners' : 'a gap'} cannot be avoided`),
  };
}

/** Without rivals there are never two owners, so no moment has a margin. */
async function marginOf(simulation: Simulation, options: SafetyMarginOptions): Promise<SafetyMargin> {
  try {
    return await safetyMargin(simulation, options);
  } catch (error) {
    if (!(error instanceof LocketArgumentError) || error.field !== 'scenario') throw error;
    return { moments: [], unavoidable: [], pointOfNoReturnMs: null, harm: 'two-owners', harmMs: null, text: `${error.message.slice('scenario: '.length)}\n` };
  }
}

/** Red for a small margin. */
function withBar(line: string): Line {
  const [bar] = line.match(/█+/) ?? [];
  if (bar === undefined) return line;
  const at = line.indexOf(bar);
  return [line.slice(0, at), toned(bar.length < NEAR ? 'yellow' : 'red', bar), line.slice(at + bar.length)];
}

/** A bar is red from this length on, of at most 30 characters. */
const NEAR = 20;
