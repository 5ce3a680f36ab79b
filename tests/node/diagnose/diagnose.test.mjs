// What real logs show: recorded incidents of a real Locket and its real clients, against what is known to have happened in them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { runScenario } from 'locket-wasm';
import { diagnose, diagnosisText, reproductionOf } from 'locket-wasm/diagnose';

import { assertNoWrongCertainty, incidents, inOtherForm, isHealthy, logsOf, outOfOrder, randomOf, shifted, truthOf } from '../support/diagnose-logs.mjs';

const Ajv = createRequire(import.meta.url)('ajv/dist/2020.js').default;
const SCHEMA = JSON.parse(readFileSync(new URL(import.meta.resolve('locket-wasm/diagnosis.schema.json')), 'utf8'));

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000));
/** Rows and beliefs that end without a word end somewhere within bounds. */
const EXACT_MS = 1_000;
/** What each recording's cause is called; a healthy one has none. */
const CAUSES = {
  none: [],
  'none (TTL 4 s is shorter than the 5 s scan of the other Locket)': [],
  'one of two Lockets stopped by SIGTERM (planned)': [],
  'planned stop (SIGTERM, Release) and a quick restart with the same owner': [],
  'holder killed': ['holder-vanished'],
  'holder killed; the clock of bbs-1 is 90 s ahead': ['holder-vanished'],
  'holder frozen longer than its lease': ['holder-frozen'],
  'two cells killed, one cell frozen, one cell stopped cleanly': ['holder-vanished', 'holder-frozen'],
  'the only Locket was down for 8 s': ['locket-crash'],
  'the Locket of the holder died': ['locket-crash'],
  'database down for 20 s': ['database-outage'],
  'two programs share one owner name': ['same-owner-name'],
  'slow network between clients and Locket (replies 3-7 s late)': ['slow-replies'],
  'row deleted by an operator': ['row-deleted'],
  'Locket process frozen for 12 s': ['locket-frozen'],
  'locks table dropped by an operator': ['table-dropped'],
};

const ofKind = ({ findings }, kind) => findings.filter((finding) => finding.kind === kind);
const isWithin = ({ earliestMs, latestMs }, ms) => (earliestMs ?? -Infinity) <= ms + 60 && (latestMs ?? Infinity) >= ms - 60;
const isNarrow = ({ earliestMs, latestMs }) => earliestMs !== null && latestMs !== null && latestMs - earliestMs < EXACT_MS;

describe('of every recorded incident', () => {
  for (const name of incidents) {
    const truth = truthOf(name);

    for (const [what, kind, known] of [['two owners', 'two-owners', 'two_believe_at_once'], ['no row', 'no-row', 'no_row'], ['no client that believed it held the lock', 'nobody-holding', 'nobody_believes']]) {
      test(`${name}: each time with ${what} is found, within 1 s where a line says so`, async () => {
        assertFound(ofKind(await diagnose(logsOf(name)), kind), truth[known]);
      });
    }

    test(`${name}: the cause is found, and nothing is called an incident if it is healthy`, async () => {
      const { causes, verdict } = await diagnose(logsOf(name));
      if (isHealthy(name)) assert.equal(verdict, 'no-incident');
      assert.deepEqual(causes.map(({ kind }) => kind).sort(), [...CAUSES[truth.root_cause]].sort());
    });

    test(`${name}: with Locket's logs alone, what is known lies within the bounds`, async () => {
      const alone = await diagnose(logsOf(name).filter((log) => log.name.startsWith('locket')), { ttl: `${ttlOf(name)}s` });
      assertNoWrongCertainty(name, alone);
      // Two programs with one name are one owner to Locket.
      if (CAUSES[truth.root_cause].includes('same-owner-name')) return;
      const doubts = ofKind(alone, 'two-owners');
      for (const { key, from_ms } of truth.two_believe_at_once) {
        assert.ok(doubts.some((doubt) => doubt.key === key && isWithin(doubt.from, from_ms)), `two owners of ${key} are not thought of`);
      }
    });
  }
});

/** Each that is known is found, and nothing else, unless the logs ended before. */
function assertFound(found, known) {
  const all = found.filter(({ certainty }) => certainty !== 'possible');
  assert.equal(all.length, known.length, JSON.stringify(all.map(({ summary }) => summary)));
  for (const { key, from_ms, to_ms } of known) {
    const one = all.find((finding) => finding.key === key && isWithin(finding.from, from_ms) && (finding.isOpen || isWithin(finding.to, to_ms)));
    assert.ok(one, `${key} from ${from_ms} to ${to_ms} is not among ${JSON.stringify(all)}`);
    if (isNarrow(one.from)) assert.ok(Math.abs(one.fromMs - from_ms) < EXACT_MS);
    if (!one.isOpen) assert.ok(Math.abs(one.toMs - to_ms) < EXACT_MS);
  }
}

function ttlOf(name) {
  const line = logsOf(name).map(({ data }) => /"ttl_in_seconds":(\d+)/.exec(data)).find(Boolean);
  return Number(line[1]);
}

describe(`nothing certain is wrong (SEED=${SEED})`, () => {
  for (const name of incidents) {
    const logs = logsOf(name);
    const random = randomOf(SEED);

    test(`${name}: with files and lines out of order`, async () => {
      const inOrder = await diagnose(logs);
      const findings = ({ findings: all }) => all.map(({ kind, key, fromMs, toMs, certainty }) => ({ kind, key, fromMs, toMs, certainty }));
      assert.deepEqual(findings(await diagnose(outOfOrder(logs, random))), findings(inOrder));
    });

    test(`${name}: with every line in the other of lager's forms`, async () => {
      const told = ({ findings }) => findings.map(({ kind, key, certainty, causeKind }) => ({ kind, key, certainty, causeKind }));
      assert.deepEqual(told(await diagnose(inOtherForm(logs))), told(await diagnose(logs)));
    });
  }
});

describe('a scenario that is made of logs does the same again', () => {
  for (const name of incidents.filter((one) => CAUSES[truthOf(one).root_cause].length > 0)) {
    test(name, async () => {
      const { scenario, finding } = reproductionOf(await diagnose(logsOf(name)));
      const { failures } = runScenario(scenario);
      assert.ok(scenario.expect.length > 0, `${finding.summary} has nothing to expect`);
      assert.deepEqual(failures, []);
    });
  }
});

describe('findings say more than that something happened', () => {
  test('of a frozen holder that two owners were running at once for some ms only', async () => {
    const [overlap] = ofKind(await diagnose(logsOf('c-sigstop-debug')), 'two-owners');
    assert.ok(overlap.bothRunningMaxMs < 10, overlap.summary);
    assert.equal(overlap.certainty, 'certain');
  });

  test('of a request that timed out and was applied that its owner did not know it', async () => {
    const [unaware] = ofKind(await diagnose(logsOf('j-slow-replies')), 'unaware-owner');
    assert.ok(Math.abs(unaware.toMs - unaware.fromMs - 41_930) < EXACT_MS, unaware.summary);
  });

  test('of a presence that was frozen that its client went on without a row', async () => {
    const [gone] = ofKind(await diagnose(logsOf('h-presences')), 'holder-without-row');
    assert.deepEqual([gone.key, gone.processes], ['cell-5', ['rep-5']]);
  });

  test('of a clock that is ahead by how much, and with which error', async () => {
    const [skew] = ofKind(await diagnose(logsOf('l-skew-bbs1')), 'clock-skew');
    assert.match(skew.summary, /^The clock of 'bbs-1' is 90\.00 s ahead of the others, with an error of at most/);
  });

  test('each has the lines that show it, which stand in the files', async () => {
    for (const name of incidents) {
      const logs = new Map(logsOf(name).map((log) => [log.name, log.data.split('\n')]));
      for (const { lines, summary } of (await diagnose(logsOf(name))).findings) {
        assert.ok(lines.length > 0, summary);
        assert.doesNotMatch(summary, /''/, 'a name is quoted once');
        for (const { file, line, text } of lines) assert.ok(logs.get(file)[line - 1].startsWith(text), `${file}:${line}`);
      }
    }
  });

  test('the diagnosis fits its schema', async () => {
    const fits = new Ajv({ strict: false }).compile(SCHEMA);
    for (const name of incidents) assert.ok(fits(JSON.parse(JSON.stringify(await diagnose(logsOf(name))))), JSON.stringify(fits.errors));
  });
});

describe('logs as they come', () => {
  const name = 'b-sigkill';
  const findingsOf = async (logs) => (await diagnose(logs)).findings.map(({ kind, fromMs, toMs }) => ({ kind, fromMs, toMs }));

  test('of a gzipped one that ends early the rest is missing, and that is said', async () => {
    const [first, ...others] = logsOf('h-presences');
    const packed = gzipSync(first.data);
    const { sources, limits } = await diagnose([{ name: 'cut.log.gz', data: packed.subarray(0, packed.length >> 1) }, ...others]);
    assert.notEqual(sources[0].problem, null);
    assert.ok(limits.some((limit) => limit.startsWith('cut.log.gz: the rest cannot be read')));
  });

  test('all in one file, they still tell the clients apart', async () => {
    const { findings } = await diagnose([{ name: 'all.log', data: logsOf('c-sigstop').map(({ data }) => data).join('') }]);
    assert.equal(findings[0].kind, 'two-owners');
    assert.equal(findings[0].processes.length, 2);
  });

  test('streams, blobs and bytes are read alike', async () => {
    const forms = [(data) => new Blob([data]), (data) => new Blob([data]).stream(), (data) => Buffer.from(data)];
    for (const form of forms) {
      assert.deepEqual(await findingsOf(logsOf(name).map((log) => ({ ...log, data: form(log.data) }))), await findingsOf(logsOf(name)));
    }
  });

  for (const rotated of ['.log.1.gz', '.log.2026-12-05', '.log.old', '.log.20261205-200100.gz', '-20261205T200100.log']) {
    test(`a file that was rotated to *${rotated} is of the same machine`, async () => {
      const logs = logsOf('c-sigstop').flatMap(({ name: file, data }) => {
        const lines = data.split('\n').filter(Boolean);
        return [{ name: file.replace('.log', rotated), data: gzipSync(`${lines.slice(0, 3).join('\n')}\n`) }, { name: file, data: lines.slice(3).join('\n') }];
      });
      assert.deepEqual(await findingsOf(logs), await findingsOf(logsOf('c-sigstop')));
    });
  }

  test('files without a line about locks have no verdict', async () => {
    const { summary, findings, toMs, limits } = await diagnose([{ name: 'x', data: 'nothing\n' }, { name: 'y', data: '' }]);
    assert.deepEqual([summary, findings, toMs], ['The files have no line about locks.', [], 0]);
    assert.deepEqual(limits, ['x: 1 line is not used: no line of lager in JSON; the first is line 1: nothing', 'No line about locks is in y.']);
  });

  test('how far reading is, is told in bytes and lines', async () => {
    const [{ data }] = logsOf('b-sigkill');
    const text = data.repeat(2_000);
    const told = [];
    await diagnose([{ name: 'long.log', data: text }], { onProgress: (progress) => told.push(progress) });
    const { bytes, lines } = told.at(-1);
    const read = text.slice(0, bytes).split('\n').length - 1;
    assert.ok(told.length > 1 && bytes > 0 && bytes <= text.length, JSON.stringify(told));
    assert.equal(lines, read);
  });

  for (const [tookMs, isReported] of [[999, false], [2_000, true]]) {
    test(`after ${tookMs} ms of reading, ${isReported ? 'it is told how long the rest takes' : 'nothing shows yet how long the rest takes'}`, async (t) => {
      const [{ data }] = logsOf('b-sigkill');
      const text = data.repeat(2_000);
      const told = [];
      let began = false;
      t.mock.method(performance, 'now', () => (began ? tookMs : ((began = true), 0)));
      await diagnose([{ name: 'long.log', data: text }], { totalBytes: text.length, onProgress: (progress) => told.push(progress) });
      const { bytes, leftMs } = told[0];
      assert.equal(leftMs, isReported ? (tookMs * (text.length - bytes)) / bytes : undefined);
    });
  }

  test('of a log with hundreds of lines about locks a second, those that are out of order by seconds are used', async () => {
    const [perSecond, seconds, block] = [400, 140, 600];
    const line = (index) => {
      const timestamp = (1_795_316_221 + index / perSecond).toFixed(6);
      const data = { key: `cell-${index % 100}`, owner: 'o', type: 'presence', 'modified-index': index };
      return JSON.stringify({ timestamp, source: 'locket', message: 'locket.lock.register-ttl.starting', log_level: 0, data });
    };
    const lines = Array.from({ length: perSecond * seconds }, (_, index) => line(index - (index % block) + block - 1 - (index % block)));
    const { sources: [{ used, late }] } = await diagnose([{ name: 'locket.log', data: lines.join('\n') }]);
    assert.equal(used + late, lines.length);
    assert.ok(late < 2 * block, `${late} lines were too late`);
  });

  const repeated = (incident, repeats) => logsOf(incident).map(({ name: file, data }) => {
    const lines = data.split('\n').filter(Boolean);
    return { name: file, data: Array.from({ length: repeats }, (_, index) => lines.map((line) => shifted(line, index * 120_000)).join('\n')).join('\n') };
  });

  test('of logs far longer than what is judged at once, every incident is found once, and what the first lack is no limit of all', async () => {
    const diagnosis = await diagnose(repeated('b-sigkill', 400).map((log, index) => (index === 0 ? { ...log, data: log.data.slice(log.data.length / 2) } : log)));
    assert.ok(diagnosis.limits.every((limit) => !limit.startsWith('The logs of these owners are missing')));
    const expiries = ofKind(diagnosis, 'expired').map(({ fromMs }) => fromMs);
    assert.equal(new Set(expiries).size, expiries.length);
  });
});

describe('a log is foreign text', () => {
  const hostile = logsOf('c-sigstop').map(({ name, data }) => {
    const bad = '\\u001b[2J\\u202e<script>alert(1)</script>\\"\\u0000';
    return { name: `\u001b[31m<b>${name}`, data: data.replaceAll('"key":"bbs"', `"key":"${bad}"`) };
  });

  test('nothing of it is obeyed by a terminal', async () => {
    const text = diagnosisText(await diagnose(hostile));
    assert.match(text, /Two owners/);
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
  });

  test('a line of any length is read in memory that does not grow with it, and in time that grows no faster', async () => {
    const long = `{\n"value":"${'\\"'.repeat(500_000)}\n{"timestamp":"1","message":"${'x'.repeat(4_000_000)}`;
    const { sources } = await diagnose([{ name: 'long', data: `${long}\n${logsOf('a-healthy')[0].data}` }]);
    assert.equal(sources[0].used, 2);
  });

  test('it can be given up', async () => {
    await assert.rejects(diagnose(logsOf('c-sigstop'), { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
});
