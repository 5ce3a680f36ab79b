// What the package gives is often a promise. One that was not awaited is refused where its value is wanted, with the hint.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LocketArgumentError, LocketClient, LocketServer, runScenario, Simulation } from 'locket-wasm';
import * as check from 'locket-wasm/check';
import * as diagnosing from 'locket-wasm/diagnose';
import { runPicture } from 'locket-wasm/picture';

const simulation = () => new Simulation({ name: 'none', until: '1s', clients: [] });
const CELL = { ttlMs: 1_000, retryIntervalMs: 500 };

for (const [name, call] of Object.entries({
  act: (promise) => simulation().act(promise),
  advise: check.advise,
  checkMonitors: (promise) => check.checkMonitors(promise, { a: () => true }),
  'clock of a client': (promise) => new LocketClient({ baseUrl: 'http://locket.test', clock: promise }),
  'clock of a server': (promise) => new LocketServer({ clock: promise }),
  diagnose: diagnosing.diagnose,
  'data of a log': (promise) => diagnosing.diagnose([{ name: 'a.log', data: promise }]),
  diagnosisText: diagnosing.diagnosisText,
  explore: check.explore,
  mapSettings: check.mapSettings,
  merge: check.merge,
  'merge of several': (promise) => check.merge([promise]),
  minimize: check.minimize,
  mapRows: check.mapRows,
  putRow: (promise) => new LocketServer().putRow(promise),
  questionOfCell: (promise) => check.questionOfCell(promise, CELL, 1),
  'cell of questionOfCell': (promise) => check.questionOfCell({}, promise, 1),
  questionOfRun: check.questionOfRun,
  restore: (promise) => simulation().restore(promise),
  replayOf: diagnosing.replayOf,
  reproductionOf: diagnosing.reproductionOf,
  runPicture,
  runScenario,
  safetyMargin: check.safetyMargin,
  'new Simulation': (promise) => new Simulation(promise),
  survive: check.survive,
  sweepSeeds: (promise) => check.sweepSeeds(promise, { seeds: 2 }),
})) {
  test(`${name} of a promise says to await it`, async () => {
    await assert.rejects(async () => call(Promise.resolve({})), (error) => {
      assert.ok(error instanceof LocketArgumentError, error.stack);
      assert.match(error.message, /, not a promise; await it$/);
      return true;
    });
  });
}
