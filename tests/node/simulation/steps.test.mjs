// How much a run may do: a short text, or a short link, cannot keep anybody busy for long.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { runScenario, Simulation, StepLimitError } from 'locket-wasm';
import { safetyMargin, checkMonitors, minimize, sweepSeeds } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';
import { assertWrongArgument, failureOf, thrownBy } from '../support/helpers.mjs';

/** Nothing happens in it but that 16 processes poll every five seconds for 416 days. */
const QUIET = { name: 'quiet', processes: 16, profile: 'upstream', until: '10000h', clients: [] };
const rivals = ['a', 'b'].map((name) => ({ name, key: 'k', retryInterval: '1000h', ttl: '3000h' }));
const FAILING = { ...QUIET, clients: rivals, expect: [{ key: 'k', at: '1s', owner: 'nobody' }] };
const RANDOM = { ...QUIET, random: true };
const UNTIL_MS = 10_000 * 3_600_000;
const maxSteps = 50_000;

function assertExceeded(error, steps = maxSteps) {
  assert.ok(error instanceof StepLimitError, error?.stack);
  assert.ok(error instanceof RangeError);
  const { maxSteps: allowed, reachedMs, untilMs } = error;
  assert.equal(allowed, steps);
  assert.ok(reachedMs > 0 && reachedMs < untilMs && untilMs <= UNTIL_MS, error.message);
  assert.match(error.message, /^the run used all its \d+ steps and reached \d+(\.\d+)? s of \d+ s; raise maxSteps, or end the run earlier$/);
  return error;
}

async function exceededBy(call) {
  return assertExceeded(await failureOf((async () => call())()));
}

describe('a run that takes too many steps', () => {
  test('is ended by itself, however it is run', async () => {
    const atOnce = await exceededBy(() => runScenario(QUIET, { trace: false, maxSteps }));
    assert.deepEqual({ ...(await exceededBy(() => runScenario(QUIET, { maxSteps }))) }, { ...atOnce });
  });

  test('has a default limit of steps', () => {
    assertExceeded(thrownBy(() => runScenario(QUIET, { trace: false })), 20_000_000);
  });

  test('is allowed if it says so', () => {
    const hour = { ...QUIET, until: '1h' };
    const told = runScenario(hour, { maxSteps });
    assert.deepEqual(runScenario(hour), told);
  });

  test('ends sweeps, minimizing, monitors and safety margins', async () => {
    await exceededBy(() => sweepSeeds(RANDOM, { seeds: 2, maxSteps }));
    await exceededBy(() => sweepSeeds(RANDOM, { seeds: 2, maxSteps, monitors: () => ({ a: () => true }) }));
    await exceededBy(() => minimize(FAILING, { maxSteps }));
    await exceededBy(() => checkMonitors(new Simulation(QUIET, { maxSteps }), { a: () => true }));
    await exceededBy(() => safetyMargin(FAILING, { maxSteps, step: '10h' }));
  });

  test('maxSteps is a whole number', async () => {
    for (const wrong of [0, -1, 0.5, '9', null, Infinity]) {
      await assertWrongArgument('maxSteps', () => runScenario(QUIET, { maxSteps: wrong }));
      await assertWrongArgument('maxSteps', () => new Simulation(QUIET, { maxSteps: wrong }));
      await assertWrongArgument('maxSteps', () => Simulation.fromLink('l1.x', { maxSteps: wrong }));
      await assertWrongArgument('maxSteps', () => sweepSeeds(RANDOM, { seeds: 1, maxSteps: wrong }));
      await assertWrongArgument('maxSteps', () => minimize(FAILING, { maxSteps: wrong }));
      await assertWrongArgument('maxSteps', () => safetyMargin(FAILING, { maxSteps: wrong }));
    }
  });
});

/** A link whose cursor is far away. */
function forged() {
  const content = `{"at":"${UNTIL_MS}ms","count":0,"digest":""}\n${JSON.stringify({ ...QUIET, until: '1h' })}`;
  return `l1.${Buffer.from(content).toString('base64url')}`;
}

describe('the command line', () => {
  const quiet = JSON.stringify(QUIET);
  for (const [args, input] of [
    [['run', '-'], quiet],
    [['run', '-', '--seeds', '2'], JSON.stringify(RANDOM)],
    [['run', '-', '--seeds', '2', '--jobs', '2'], JSON.stringify(RANDOM)],
    [['run', '-', '--minimize'], JSON.stringify(FAILING)],
    [['run', '-', '--export', 'mermaid'], quiet],
    [['run', '-', '--margin', '--step', '10h'], JSON.stringify(FAILING)],
    [['run', forged()], ''],
    [['run', forged(), '--export', 'mermaid'], ''],
  ]) {
    test(`${args[0]} ends with exit code 5 and says what allows more: ${args.slice(1).join(' ').slice(0, 30)}`, () => {
      const { status, stderr } = cli([...args, '--max-steps', '50000'], input);
      assert.match(stderr, /^locket-wasm: the run used all its 50000 steps and reached \d+(\.\d+)? s of \d+ s; raise --max-steps, or end the run earlier\n$/);
      assert.equal(status, 5);
    });
  }

  test('more steps are allowed', () => {
    const hour = JSON.stringify({ ...QUIET, until: '1h' });
    assert.equal(cli(['run', '-', '--max-steps', '10000'], hour).status, 5);
    assert.equal(cli(['run', '-', '--max-steps', '100000'], hour).status, 0);
  });
});
