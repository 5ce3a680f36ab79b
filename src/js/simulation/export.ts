// Traces in formats of other tools.

import { WasmSimulation } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { kindOf, text } from '../base/checks.js';
import { callWasm } from '../base/wasm.js';
import type { ScenarioRun } from './run-value.js';
import { sourceOfRun } from './scenario.js';
import { Simulation } from './simulation.js';
import type { TraceFormat } from './trace-format.js';

/**
 * Exports the events of a run in a format of another tool.
 *
 * @param run the result of {@link runScenario}, or a simulation, which exports its events so far
 *
 * @example
 * ```ts
 * writeFileSync('run.mmd', exportTrace(runScenario(scenario), 'mermaid')); // a sequence diagram
 * ```
 */
export function exportTrace(run: ScenarioRun | Simulation, format: TraceFormat): string {
  text('format', format);
  if (run instanceof Simulation) return run.export(format);
  const source = typeof run === 'object' && run !== null ? sourceOfRun(run) : undefined;
  if (source === undefined) {
    const what = typeof run === 'object' && run !== null ? 'another object' : kindOf(run);
    throw new LocketArgumentError('run', `expected a result of runScenario or a Simulation, not ${what}`);
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
