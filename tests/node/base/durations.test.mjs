// The package reads durations by itself, before any module is there. It reads what the module reads, and says what the module says.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';
import { duration, durationMs, LocketArgumentError, ScenarioError, Simulation } from 'locket-wasm';

const NO_DURATION = 'is not a duration; write a number with its unit: 15s, 250ms, 1.5m, 2h';
/** The package's words for texts of which the module only says that they are no durations. */
const OUT_OF_RANGE = 'is out of range; expected a whole number of milliseconds up to 2^53 − 1';

/** The length that the module reads, or why it reads none. */
const byModule = (until) => read(() => new Simulation({ name: 'x', until, clients: [] }).endMs, ScenarioError);

/** The same, of the package. */
const byPackage = (text) => read(() => durationMs(text), LocketArgumentError);

/** What is said of a bare number, word for word. Of other texts, which each quotes in its own way, that they are no durations. */
function read(length, Mistake) {
  try {
    return length();
  } catch (error) {
    assert.ok(error instanceof Mistake, error.stack);
    const [reason] = /[^\s:]+ has no unit; write \S+ or \S+$/.exec(error.message) ?? [];
    if (reason !== undefined) return reason;
    assert.ok(error.message.endsWith(NO_DURATION) || error.message.endsWith(OUT_OF_RANGE), error.message);
    return NO_DURATION;
  }
}

function assertSame(text) {
  assert.equal(byPackage(text), byModule(text), JSON.stringify(text));
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const BLANKS = ['', ' ', '  ', '\t', '\n', '\r\n', '\v', '\f', '\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u202f', '\u3000', '\u200b', '\ufeff', '\0'];

const TEXTS = {
  'whole numbers': ['0', '1', '7', '15', '250', '3600', '86400000'],
  'fractions': ['0.0', '0.5', '1.5', '1.25', '1.125', '1.0625', '0.001', '0.0001', '0.1', '0.05', '0.3', '0.33', '0.000001', '2.50', '00.10'],
  'long fractions': [17, 18, 19, 20, 21, 30, 31, 100].flatMap((digits) => [`1.${'0'.repeat(digits)}`, `1.5${'0'.repeat(digits - 1)}`, `1.${'0'.repeat(digits - 1)}1`, `0.${'9'.repeat(digits)}`]),
  'zeros in front': [10, 20, 21, 31, 35].flatMap((digits) => ['0'.repeat(digits), `${'0'.repeat(digits)}15`, `${'0'.repeat(digits)}1.5`]),
  'more zeros in front than a message shows': [39, 40, 41, 100_000].flatMap((digits) => ['0'.repeat(digits), `${'0'.repeat(digits)}15`]),
  'numbers that are too large for 64 bits': ['18446744073709551616', '99999999999999999999', '1'.repeat(30), '9'.repeat(1_000), '9'.repeat(100_000)],
  'signs': ['-0', '-1', '-15', '-1.5', '+0', '+15', '−15', '--1', '- 1', '1-'],
  'odd numbers': ['', '.', '.5', '5.', '1.2.3', '1,5', '1_000', '1e3', '0x10', 'NaN', 'Infinity', '١٥', '１５', '½', 'five'],
};

describe('the package and the module read alike', () => {
  for (const [what, numbers] of Object.entries(TEXTS)) {
    test(`${what}, with each unit and bare`, () => {
      for (const number of numbers) for (const unit of ['', ...Object.keys(UNITS)]) assertSame(number + unit);
    });
  }

  test('blanks of every kind, at every place', () => {
    for (const blank of BLANKS) {
      for (const text of ['', '5', '1.5', '5s', '1.5m']) for (const odd of [blank + text, text + blank, blank + text + blank]) assertSame(odd);
      for (const odd of [`5${blank}s`, `5 ${blank}s`, `5m${blank}s`, `1${blank}.5s`, `1.${blank}5s`, `-${blank}5s`]) assertSame(odd);
    }
  });

  test('units of every kind', () => {
    const units = ['us', 'µs', 'ns', 'S', 'MS', 'Ms', 'M', 'H', 'sec', 'seconds', 'min', 'hr', 'd', 'w', 's.', 's s', 'ſ', 'mss', 'sm', 's5', '%'];
    for (const unit of units) for (const number of ['5', '1.5', '5 ']) assertSame(number + unit);
  });

  test('several durations, which are none', () => {
    for (const text of ['1m30s', '1m 30s', '5s5', '5s 5s', '5s,', '"5s"', "'5s'", '5s\n5s', '5\n5s']) assertSame(text);
  });

  test('texts of the characters of durations', () => {
    const character = fc.constantFrom(...'0019.. -+msh', '\t', '\u0085', '\ufeff', 'e', '٣');
    fc.assert(fc.property(fc.string({ unit: character, maxLength: 12 }), assertSame), { numRuns: 2_000, seed: 1 });
  });

  test('a bare number is refused with the two ways to write it, in the same words', () => {
    const bare = ['0', '5', ' 5 ', '1.5', '0.001', '007', '1000000', '9007199254740993', '18446744073709551', '5\u0085'];
    assert.deepEqual(bare.map(byPackage), [
      '0 has no unit; write 0s or 0ms',
      '5 has no unit; write 5s or 5000ms',
      '5 has no unit; write 5s or 5000ms',
      '1.5 has no unit; write 1.5s or 1500ms',
      '0.001 has no unit; write 0.001s or 1ms',
      '007 has no unit; write 007s or 7000ms',
      '1000000 has no unit; write 1000000s or 1000000000ms',
      '9007199254740993 has no unit; write 9007199254740993s or 9007199254740993000ms',
      '18446744073709551 has no unit; write 18446744073709551s or 18446744073709551000ms',
      '5 has no unit; write 5s or 5000ms',
    ]);
    for (const text of bare) assertSame(text);
    for (const number of [0, 5, 999]) assertSame(number);
  });

  test('a JavaScript number from 1000 on is taken for milliseconds, as timers take it', () => {
    const numbers = [1_000, 1_500, 5_000, 86_400_000, 123_456_789_012_345];
    assert.deepEqual(numbers.map(byPackage), [
      '1000 has no unit; write 1s or 1000ms',
      '1500 has no unit; write 1.5s or 1500ms',
      '5000 has no unit; write 5s or 5000ms',
      '86400000 has no unit; write 86400s or 86400000ms',
      '123456789012345 has no unit; write 123456789012.345s or 123456789012345ms',
    ]);
    assert.equal(byPackage('5000'), '5000 has no unit; write 5000s or 5000000ms', 'a text is not');
    assert.equal(durationMs('123456789012.345s'), 123_456_789_012_345);
  });

  test('a duration that is too long or too precise is not said to be none', () => {
    for (const text of ['9007199254740992s', '9007199254740992ms', '2501999792984h', '1.0001s', '0.5ms', `${'9'.repeat(100_000)}m`]) {
      const shown = JSON.stringify(text.slice(0, 40));
      assert.throws(() => durationMs(text), { name: 'LocketArgumentError', message: `duration: ${shown} ${OUT_OF_RANGE}` });
    }
    assert.throws(() => durationMs('1.2.3s'), { message: `duration: "1.2.3s" ${NO_DURATION}` });
  });
});

describe('durations', () => {
  test('are exact, up to 2^53 − 1 ms', () => {
    for (const [unit, ms] of Object.entries(UNITS)) {
      const most = Math.floor(Number.MAX_SAFE_INTEGER / ms);
      assert.deepEqual([durationMs(`1${unit}`), durationMs(`${most}${unit}`)], [ms, most * ms]);
      assert.equal(byModule(`${most}${unit}`), most * ms);
    }
    assert.equal(durationMs('9007199254740.991s'), Number.MAX_SAFE_INTEGER);
  });

  test('beyond that are no numbers that the package could give, though the module counts on', () => {
    for (const text of ['9007199254740992ms', '9007199254740.992s', '2501999792984h', '18446744073709551615ms']) {
      assert.equal(byPackage(text), NO_DURATION, text);
      assert.ok(byModule(text) > Number.MAX_SAFE_INTEGER, text);
    }
  });

  test('are the same text after they were checked', () => {
    assert.equal(duration(' 1.50 m '), ' 1.50 m ');
    assert.throws(() => duration('5', 'LOCKET_TIMEOUT'), { name: 'LocketArgumentError', field: 'LOCKET_TIMEOUT', message: 'LOCKET_TIMEOUT: 5 has no unit; write 5s or 5000ms' });
    assert.throws(() => duration('soon'), { field: 'duration', message: `duration: "soon" ${NO_DURATION}` });
  });

  test('are texts and nothing else', () => {
    for (const given of [undefined, null, true, 5n, {}, ['5s'], Symbol('5s'), () => '5s', new String('5s')]) {
      assert.throws(() => durationMs(given), /^LocketArgumentError: duration: expected a duration with its unit, such as '5s', not /);
    }
    for (const given of [1.0001, NaN, -1, -0, Infinity, 1e21]) assert.throws(() => durationMs(given), LocketArgumentError);
  });
});
