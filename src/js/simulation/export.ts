// Traces in the forms that other tools read.

import { WasmSimulation } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { kindOf, text } from '../base/checks.js';
import { callWasm } from '../base/wasm.js';
import { type ScenarioRun, sourceOfRun } from './scenario.js';
import { Simulation } from './simulation.js';
import type { TraceFormat } from './trace-format.js';

/**
 * What happened, in a form that another tool reads.
 *
 * @param run what {@link runScenario} gave, or a simulation, of which it is what has happened so far
 *
 * @example
 * ```ts
 * writeFileSync('trace.json', exportTrace(runScenario(scenario), 'chrome')); // open it in ui.perfetto.dev
 * ```
 */
export function exportTrace(run: ScenarioRun | Simulation, format: TraceFormat): string {
  text('format', format);
  if (run instanceof Simulation) return run.export(format);
  const source = typeof run === 'object' && run !== null ? sourceOfRun(run) : undefined;
  if (source === undefined) {
    const what = typeof run === 'object' && run !== null ? 'another object' : kindOf(run);
    throw new LocketArgumentError('run', `expected what runScenario returned, or a Simulation, not ${what}`);
  }
  const core = callWasm(() => new WasmSimulation(source.scenario, source.maxSteps));
  try {
    return callWasm(() => {
      core.seekTime(core.end());
      return core.export(format);
    });
  } finally {
    core.free();
  }
}
