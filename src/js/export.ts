// Traces in the forms that other tools read.

import { WasmSimulation } from '#glue';

import { LocketArgumentError } from './errors.js';
import { kindOf, text } from './options.js';
import { type ScenarioRun, sourceOfRun } from './scenario.js';
import { Simulation } from './simulation.js';
import { callWasm } from './wasm.js';

/**
 * A form of a trace: `json-lines`; `chrome` for Perfetto and Chrome's tracing; `mermaid`, a sequence diagram; `shiviz`, a
 * log with vector clocks; `junit`, a report with the scenario's expectations as test cases; and tests that tell the same
 * run again, `rust-test` and `typescript-test` (for Node's test runner).
 */
export type TraceFormat =
  | 'chrome'
  | 'json-lines'
  | 'junit'
  | 'mermaid'
  | 'rust-test'
  | 'shiviz'
  | 'typescript-test';

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
