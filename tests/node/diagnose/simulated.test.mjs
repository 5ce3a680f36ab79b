// What diagnose says of logs whose truth is known: those of simulated incidents, as they get to an operator.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { diagnose } from 'locket-wasm/diagnose';

import { logsOf, randomOf } from '../support/diagnose-logs.mjs';
import { randomClock, randomIncident, runOf, textOf, withWork } from '../support/simulated-logs.mjs';
import { judged } from '../support/simulated-truth.mjs';

/** A known one by default, so that a run repeats; ROUNDS=7 tries 1,000 incidents. */
const SEED = Number(process.env.SEED ?? 1);
const INCIDENTS = 150 * Number(process.env.ROUNDS ?? 1);
/** Seeds and numbers of incidents of which longer runs have found something certain and wrong. */
const FOUND = [[3, 2_031], [3, 2_846], [3, 3_420], [6, 764], [11, 2_429], [11, 3_845], [21, 1_029], [31, 217], [31, 6_020], [31, 8_095], [32, 726], [32, 5_874], [32, 5_973], [33, 7_072], [42, 3_573], [43, 3_259], [52, 1_624], [62, 413], [63, 3_920], [81, 202], [81, 1_716], [81, 4_317], [91, 987], [91, 1_132], [91, 2_900], [91, 4_844], [92, 17], [92, 1_857], [92, 8_117], [103, 814]];

const within = (random) => ({ fromMs: random() * 60_000, toMs: 60_000 + random() * 60_000 });

/** How logs come: without files or lines, and with clocks that differ, drift or are set. */
const DISTURBANCES = {
  'as they are': () => ({}),
  'with files missing': (random) => ({ hasFile: () => random() < 0.7 }),
  'with lines missing': (random) => ({ hasLine: () => random() > 0.12 }),
  'with the lines of locks alone': () => ({ hasLine: ({ message }) => message.includes('lock-') || message.includes('-lock') }),
  'without lines of debugging': () => ({ hasLine: ({ level }) => level > 0 }),
  'with both ends cut off': (random) => {
    const { fromMs, toMs } = within(random);
    return { hasLine: ({ ms }) => ms >= fromMs && ms <= toMs };
  },
  'with one file that begins late': (random) => {
    const [fromMs, late] = [random() * 120_000, random() < 0.5 ? 'bbs-0' : 'locket-0'];
    return { hasLine: ({ ms, who }) => who !== late || ms >= fromMs };
  },
  'with a clock that is ahead': () => ({ clock: { offsetMs: 35_321 } }),
  'with a clock that drifts': () => ({ clock: { ppm: 500 } }),
  'with a clock that is set': () => ({ clock: { steps: 1 } }),
  'with a clock that is set, and lines missing': (random) => ({ clock: { steps: 1 }, hasLine: () => random() > 0.12 }),
};

const namesOf = ({ lines }) => [...new Set(lines.map(({ who }) => who))];

/** What is said of a run without some of its files and lines, each file by its own clock. */
function diagnosisOf(run, clockOf, { hasFile = () => true, hasLine = () => true } = {}) {
  return diagnose(namesOf(run).filter(hasFile).map((name) => ({ name: `${name}.log`, data: run.lines.filter((line) => line.who === name && hasLine(line)).map((line) => textOf(line, clockOf(name))).join('\n') })));
}

/** The statements about an incident whose logs are disturbed. */
async function statements(run, of, random) {
  const { clock = {}, ...kept } = of(random);
  const names = namesOf(run);
  const other = names[Math.floor(random() * names.length)];
  const clocks = new Map(names.map((name) => [name, randomClock(random, name === other ? clock : {})]));
  const diagnosis = await diagnosisOf(run, (name) => clocks.get(name), kept);
  // Where neither lines that go back nor shared lines show that a clock was set, no reader can know.
  const isShown = clock.steps === undefined || diagnosis.findings.some(({ summary }) => summary.includes('was set'));
  return isShown ? judged(diagnosis, run, clocks) : [];
}

/** An end of a process is told as the loss that another line explains. */
const OF_EXITS = new Set(['process-exited', 'restart-loop']);

/** True if two findings may be about the same, and the second is not only possible. */
function isSame(finding, { kind, key, certainty, from, to }) {
  const meets = (a, b) => (a.earliestMs ?? -Infinity) <= (b.latestMs ?? Infinity) + 1 && (b.earliestMs ?? -Infinity) <= (a.latestMs ?? Infinity) + 1;
  return kind === finding.kind && key === finding.key && certainty !== 'possible' && meets(from, finding.from) && (finding.isOpen || meets(to, finding.to));
}

describe(`of ${INCIDENTS} simulated incidents (SEED=${SEED})`, () => {
  const runs = [...Array.from({ length: INCIDENTS }, (_, index) => [SEED, index]), ...FOUND].map((one) => {
    const [seed, index] = one;
    const random = randomOf((seed * 100_000 + index) * 7_919 + 13);
    const run = runOf(randomIncident(random));
    return { index: `SEED=${seed} ${index}`, isFound: FOUND.includes(one), random, run: random() < 0.5 ? withWork(run, 3_000) : run };
  });

  for (const [how, of] of Object.entries(DISTURBANCES)) {
    test(`${how}, nothing certain is wrong, and of what is likely 95 % are right`, async () => {
      const all = [];
      for (const { random, run, ...from } of runs) all.push(...(await statements(run, of, random)).map((one) => ({ ...one, ...from })));
      const wrong = all.filter(({ isRight }) => !isRight);
      const told = ({ index, what, finding }) => `${index}: ${what}: ${finding.summary} ${finding.cause}`;
      assert.deepEqual(wrong.filter(({ certainty }) => certainty === 'certain').map(told), []);
      const likely = all.filter(({ certainty, isFound }) => certainty === 'likely' && !isFound);
      const doubted = likely.filter(({ isRight }) => !isRight);
      assert.ok(all.length > 0 && doubted.length <= 0.05 * likely.length, `${doubted.length} of ${likely.length}: ${doubted.slice(0, 5).map(told).join('\n')}`);
    });
  }

  test('without some lines or a file, nothing is certain that is not told with all of them', async () => {
    const added = new Set();
    for (const { index, random, run } of runs) {
      const clock = randomClock(random, {});
      const missing = namesOf(run)[Math.floor(random() * namesOf(run).length)];
      const whole = await diagnosisOf(run, () => clock);
      for (const hasLine of [() => random() > 0.12, ({ who }) => who !== missing, ({ level }) => level > 0]) {
        const { findings } = await diagnosisOf(run, () => clock, { hasLine });
        const more = findings.filter((finding) => finding.certainty === 'certain' && !OF_EXITS.has(finding.kind) && !whole.findings.some((other) => isSame(finding, other)));
        for (const { summary } of more) added.add(`${index}: ${summary}`);
      }
    }
    // It is true, and only possible with all lines: one of them is a reply near a timeout, which makes a clock uncertain.
    assert.deepEqual([...added], ["SEED=92 8117: Two owners of 'bbs' for 2.17 s: bbs-0 and bbs-1 both believed to hold it. Both were running for at most 2.17 s of it."]);
  });
});

/** The messages of each process at level info, with the members of their data. */
function shapesOf(logs) {
  const shape = ({ message, data }) => `${message} ${Object.keys(data.lock ?? data).filter((member) => member !== 'session').sort()}`;
  return logs.map(({ name, data }) => [name.replace('-a', '-0'), data.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter(({ log_level: level, message }) => level > 0 && !UNWRITTEN.test(message)).map(shape)]);
}

/** The run has one line of each start. */
const UNWRITTEN = /grpc-server|notifier|locket\.started/;

test('a simulated run writes the lines of a recorded one, with the same members', () => {
  const clients = [0, 1].map((index) => ({ name: `bbs-${index}`, key: 'bbs', owner: `owner-${index}`, ttl: '15s', retryInterval: '5s', runner: 'upstream', startAt: `${index}s` }));
  const { lines } = runOf({ name: 'b-sigkill', profile: 'upstream', processes: 1, until: '70s', clients, actions: [{ at: '28s', do: 'crash', node: 'bbs-0' }] });
  const clock = randomClock(Math.random, {});
  const written = ['bbs-0', 'bbs-1', 'locket-0'].map((who) => ({ name: `${who}.log`, data: lines.filter((line) => line.who === who).map((line) => textOf(line, clock)).join('\n') }));
  assert.deepEqual(shapesOf(written), shapesOf(logsOf('b-sigkill')));
});
