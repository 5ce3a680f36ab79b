// How each exported function is called: with arguments near good ones, so bounded that no question takes long.

import fc from 'fast-check';
import * as main from 'locket-wasm';
import * as check from 'locket-wasm/check';
import * as diagnosing from 'locket-wasm/diagnose';
import * as picture from 'locket-wasm/picture';
import * as serving from 'locket-wasm/serve';
import * as testing from 'locket-wasm/testing';

import { logsOf } from '../node/support/diagnose-logs.mjs';
import { CHEAP_QUESTION, FAILING, LOCK, MAP, QUESTION, SCENARIO } from './good.mjs';
import { isAbort } from './oracle.mjs';
import { anything, near, nearText } from './values.mjs';

const { LocketError, LocketServer, Simulation } = main;

const FEW_STATES = 300;
const FEW_STEPS = 2_000;
const soon = () => AbortSignal.timeout(2_000);
const map = await check.mapSettings(MAP);
const LOG = { name: 'a.log', data: '{"timestamp":"1795316221.5","source":"bbs","message":"bbs.locket-lock.started","log_level":1,"data":{"lock":{"key":"bbs","owner":"o"},"ttl_in_seconds":15}}' };
const diagnosis = await diagnosing.diagnose([LOG]);
const incident = await diagnosing.diagnose(logsOf('c-sigstop'));
const reproduction = diagnosing.reproductionOf(incident);
const sweep = await check.sweepSeeds(SCENARIO, { seeds: 3 });

/** A search of a question near a good one, and one of a cheap question with options near good ones; both within few states. */
const asked = (search, question = QUESTION, cheap = CHEAP_QUESTION) => [
  [[near(question)], (changed) => search(changed, { maxStates: FEW_STATES, signal: soon() }), isAbort],
  [[near({ onProgress: () => {}, maxStates: FEW_STATES })], (options) => search(cheap, bounded(options, { maxStates: FEW_STATES }, soon())), isAbort],
];

/** The same with a scenario. */
const played = (play, limits = {}, good = SCENARIO) => [
  [[fc.oneof(near(good), nearText(good))], (scenario) => play(scenario, { ...limits, maxSteps: FEW_STEPS }), isAbort],
  [[near({ ...limits, maxSteps: FEW_STEPS })], (options) => play(good, bounded(options, { ...limits, maxSteps: FEW_STEPS })), isAbort],
];

/** Options that would be taken, but for more work than a test has time for, are cut to these limits. */
function bounded(options, limits, signal) {
  if (Array.isArray(options) || (typeof options !== 'object' && options !== undefined) || options === null) return options;
  const cut = { ...options };
  for (const [name, limit] of Object.entries(limits)) {
    if (cut[name] === undefined || (Number.isSafeInteger(cut[name]) && cut[name] > limit)) cut[name] = limit;
  }
  return signal === undefined || 'signal' in cut ? cut : { ...cut, signal };
}

/** What the module says by itself, whatever else it is given. */
const called = (call, ...args) => [[args, call]];
const arrays = (...goods) => fc.oneof(near(goods), anything);

/** By name: argument lists, the call, and which other errors are its caller's own. */
export const FUNCTIONS = {
  advise: asked(check.advise),
  survive: asked(check.survive, { ttl: '3s', retryInterval: '1s', latency: '1s', faults: { pause: '1s' } }),
  diagnose: [
    [[near([LOG])], (sources) => diagnosing.diagnose(sources), isAbort],
    [[near({ ttl: '15s', onProgress: () => {} })], (options) => diagnosing.diagnose([LOG], options), isAbort],
  ],
  runPicture: [...called((options) => picture.runPicture(new Simulation(SCENARIO), options), near({ headline: 'x', theme: 'dark' })), ...called(picture.runPicture, anything)],
  replayOf: called((made, run) => diagnosing.replayOf(made, { runner: 'safe', ttlMs: 15_000, retryIntervalMs: 5_000 }).outcome(run), near(reproduction), anything),
  diagnosisText: [...called((options) => diagnosing.diagnosisText(diagnosis, options), near({ findings: 3 })), ...called(diagnosing.diagnosisText, near(incident))],
  reproductionOf: called(diagnosing.reproductionOf, near(incident)),
  safetyMargin: played(check.safetyMargin, { maxPause: '5s' }),
  duration: called(main.duration, fc.oneof(anything, fc.string()), anything),
  durationMs: called(main.durationMs, fc.oneof(anything, fc.string()), anything),
  explore: asked(check.explore),
  mapRows: called(check.mapRows, near(MAP)),
  questionOfCell: called(check.questionOfCell, near(MAP), near(map.cells[0]), fc.oneof(anything, fc.nat(5_000))),
  merge: called(check.merge, fc.oneof(arrays(map, map), arrays(sweep, sweep))),
  checkMonitors: [[[near(SCENARIO), near({ a: () => true })], (of, monitors) => check.checkMonitors(boundedOrOwn(of), monitors), () => false]],
  runScenario: played(main.runScenario),
  mapSettings: asked(check.mapSettings, MAP, MAP),
  minimize: played(check.minimize, { maxRuns: 20 }, FAILING),
  questionOfRun: played(check.questionOfRun, { faults: 'planned' }),
  sweepSeeds: played(check.sweepSeeds, { seeds: 3 }),
  // Ports that others have, and names that nobody has, are the system's errors.
  serve: [[[near({ port: 0, clock: 'virtual', profile: 'upstream', processes: 2, closeTimeout: '10ms', controlPort: 0 })], servedAndClosed, (error) => 'syscall' in error || 'code' in error]],
  init: called(main.init, anything),
  assertHoldsLock: [[[held(), anything, anything], testing.assertHoldsLock, isAssertion]],
  assertHoldsPresence: [[[held(), anything, anything], testing.assertHoldsPresence, isAssertion]],
  assertRefused: [[[fc.oneof(fc.constant('a refusal').map(refusal), anything), anything], testing.assertRefused, isAssertion]],
  everyFault: called(testing.everyFault, near({ most: 1, budget: 3, shard: '1/1', faults: { pause: '5s' } }), anything),
  withLocket: [[[near({ processes: 2, profile: 'upstream', watchdog: '1s' })], (options) => (hasLatency(options) ? undefined : testing.withLocket(options, ({ client }) => client().lock(LOCK))()), () => false]],
};

function held() {
  return fc.oneof(fc.constant(new LocketServer()), anything);
}

function refusal() {
  const refused = Promise.reject(new LocketError({ code: 6, rawMessage: 'lock-collision' }));
  refused.catch(() => {});
  return refused;
}

/** A run without a bound of its own is bounded here; what is no scenario stays what it is. */
function boundedOrOwn(of) {
  return typeof of === 'object' && of !== null && 'clients' in of ? new Simulation(of, { maxSteps: FEW_STEPS }) : of;
}

async function servedAndClosed(options) {
  const serving_ = await serving.serve(options);
  await serving_.close();
}

function isAssertion(error) {
  return error.name === 'AssertionError' || error.name === 'Error';
}

/** With a latency, answers wait for a clock that nobody here moves. */
function hasLatency(options) {
  try {
    return options?.latency !== undefined;
  } catch {
    return true;
  }
}
