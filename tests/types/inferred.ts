// A program whose own declarations are inferred from the package: TypeScript finds a name for each type in them, or says TS2742.
// Checked, never run.

import { LocketServer, runScenario, Simulation, type VirtualClock } from 'locket-wasm';
import { advise, checkMonitors, explore, mapSettings, minimize, questionOfRun, safetyMargin, survive, sweepSeeds } from 'locket-wasm/check';
import { LocketClient, ModuleError } from 'locket-wasm/client';
import { serve } from 'locket-wasm/serve';
import { withLocket } from 'locket-wasm/testing';

/** Gives what it was given, so that a type is inferred. */
const given = <T>(value: T): T => value;
type Options<F extends (...args: never[]) => unknown, N extends number> = NonNullable<Parameters<F>[N]>;

// -- names of /types

export const table = (server: LocketServer) => server.table();
export const profile = (server: LocketServer) => server.profile;
export const named = (server: LocketServer) => server.client('a');
export const state = (simulation: Simulation) => simulation.state();
export const timeline = (simulation: Simulation) => simulation.timeline();

// -- names of /types/inferred

export const stats = (server: LocketServer) => server.stats();
export const acts = (simulation: Simulation) => simulation.acts();
export const waits = (clock: VirtualClock) => clock.waits();
export const reason = (error: ModuleError) => error.reason;
export const coverage = async () => (await explore({})).coverage;
export const longest = async () => (await explore({})).longest;
export const failed = async () => (await sweepSeeds('', { seeds: 1 })).failed;
export const monitored = () => checkMonitors('', {});
export const faults = () => questionOfRun('').faults;
export const exploring = (options: Options<typeof explore, 1>) => given(options);
export const advising = (options: Options<typeof advise, 1>) => given(options);
export const mapping = (options: Options<typeof mapSettings, 1>) => given(options);
export const minimizing = (options: Options<typeof minimize, 1>) => given(options);
export const margins = (options: Options<typeof safetyMargin, 1>) => given(options);
export const surviving = (options: Options<typeof survive, 1>) => given(options);
export const running = (options: Options<typeof runScenario, 1>) => given(options);
export const waiting = (options: Options<LocketClient['withLock'], 1>) => given(options);
export const electing = (handlers: Options<LocketClient['elect'], 1>) => given(handlers);
export const sleeping = (options: Options<VirtualClock['sleep'], 1>) => given(options);
export const closing = (options: Options<LocketServer['close'], 0>) => given(options);
export const linking = (options: Options<Simulation['link'], 0>) => given(options);

// -- names of the entries themselves

export const serving = (options: Options<typeof serve, 0>) => given(options);
export const testing = (options: Extract<Parameters<typeof withLocket>[0], object>) => given(options);
