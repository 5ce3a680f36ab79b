// Logs that are nearly those of real incidents: lines in another order, cut, doubled, with other values, and with anything in between.

import assert from 'node:assert/strict';

import fc from 'fast-check';
import { runScenario } from 'locket-wasm';
import { diagnose, diagnosisText, reproductionOf } from 'locket-wasm/diagnose';

import { incidents, logsOf } from '../node/support/diagnose-logs.mjs';
import { taken } from './oracle.mjs';
import { fuzz } from './round.mjs';

/** What becomes of a line. */
const slip = fc.oneof(
  { weight: 6, arbitrary: fc.constant((line) => [line]) },
  fc.constant(() => []),
  fc.constant((line) => [line, line]),
  fc.nat().map((at) => (line) => [line.slice(0, at % (line.length + 1))]),
  fc.tuple(fc.nat(), fc.string({ unit: 'binary' })).map(([at, text]) => (line) => [line.slice(0, at % line.length) + text + line.slice(at % line.length)]),
  fc.tuple(fc.constantFrom('key', 'owner', 'timestamp', 'request-uuid', 'error', 'modified-index', 'duration', 'ttl_in_seconds'), fc.json()).map(
    ([name, value]) =>
      (line) => [line.replace(new RegExp(`"${name}":("[^"]*"|\\d+)`), () => `"${name}":${value}`)],
  ),
  fc.string({ unit: 'binary' }).map((text) => (line) => [text, line]),
);
const logs = fc.tuple(fc.constantFrom(...incidents), fc.array(slip, { minLength: 30, maxLength: 30 }), fc.nat(), fc.boolean()).map(([name, slips, turn, isOne]) => {
  const files = logsOf(name).map((log) => {
    const lines = log.data.split('\n').filter(Boolean).flatMap((line, index) => slips[(index + turn) % slips.length](line));
    return { name: log.name, data: lines.join('\n') };
  });
  return isOne ? [{ name: 'all', data: files.map(({ data }) => data).join('\n') }] : files;
});
const RECORD = ['snapshot', 'added', 'removed', 'changed'].map((type, index) =>
  JSON.stringify({ timestamp: `179531622${index}.5`, source: 'locket-wasm', message: `locket-wasm.watch.${type}`, data: { since: '2026-11-22T02:57:00Z', resource: { key: 'bbs', owner: 'a' }, previous: { key: 'bbs', owner: 'b' }, resources: [{ key: 'bbs', owner: 'b' }, 7] } }),
);
const anyText = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('path,owner', '| path | owner |', 'a,"b', '\u001f\u008b', '{"message":"locket.lock.lock.acquired-lock"', ...RECORD)), { maxLength: 20 }).map((lines) => [
  { name: lines[0] ?? '', data: lines.join('\n') },
]);

fuzz('logs', 30, fc.oneof({ weight: 4, arbitrary: logs }, anyText), async (sources) => {
  const diagnosis = await diagnose(sources);
  for (const { fromMs, toMs, lines } of diagnosis.findings) assert.ok(Number.isSafeInteger(fromMs) && toMs >= fromMs && lines.length > 0);
  assert.doesNotMatch(diagnosisText(diagnosis).replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
  const found = reproductionOf(diagnosis);
  if (found !== null) await taken(() => runScenario(found.scenario, { maxSteps: 20_000 }));
});
