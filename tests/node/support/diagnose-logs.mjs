// The recorded incidents, what is known to have happened in them, and their logs as they get to an operator: out of order
// and without a file.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LOGS = fileURLToPath(new URL('../../vectors/logs/', import.meta.url));
/** Truth was measured with an error of some ms, and a line is written some ms after what it tells. */
const MEASURED_MS = 60;

/** The names of the recorded incidents. */
export const incidents = readdirSync(LOGS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** What is known of one. */
export const truthOf = (name) => JSON.parse(readFileSync(`${LOGS}${name}/truth.json`, 'utf8'));

/** Its logs, as `{ name, data }`. */
export function logsOf(name) {
  const files = readdirSync(`${LOGS}${name}`).filter((file) => file.endsWith('.log'));
  return files.map((file) => ({ name: file, data: readFileSync(`${LOGS}${name}/${file}`, 'utf8') }));
}

/** Nothing happened in these that an operator would call a loss. */
export const isHealthy = (name) => name.startsWith('a-') || truthOf(name).losses.length + truthOf(name).no_row.length === 0;

/** Numbers from 0 to 1, the same for each seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function shuffled(list, random) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
}

const linesOf = (data) => data.split('\n').filter(Boolean);

/** Files and lines in another order. */
export function outOfOrder(logs, random) {
  return shuffled(logs, random).map(({ name, data }) => ({ name, data: `${shuffled(linesOf(data), random).join('\n')}\n` }));
}

/** Lines with seconds since the epoch get times of RFC 3339 and a level, and the others the reverse. */
export function inOtherForm(logs) {
  return logs.map(({ name, data }) => ({ name, data: linesOf(data).map(inOtherFormOf).join('\n') }));
}

const LEVELS = ['debug', 'info', 'error', 'fatal'];

function inOtherFormOf(line) {
  if (!line.startsWith('{')) return line;
  const { timestamp, level, log_level: number, ...rest } = JSON.parse(line);
  const isOld = number !== undefined;
  const time = isOld ? `${new Date(Math.floor(Number(timestamp) * 1000)).toISOString().slice(0, 20)}${String(timestamp).split('.')[1] ?? '0'}Z` : `${Date.parse(`${timestamp.slice(0, 19)}Z`) / 1000}.${timestamp.slice(20, -1) || '0'}`;
  return JSON.stringify({ timestamp: time, ...(isOld ? { level: LEVELS[number] } : { log_level: LEVELS.indexOf(level) }), ...rest });
}

/** A line with another time, in the form that it has. */
export function shifted(line, byMs) {
  return line.replace(/"timestamp":"([^"]+)"/, (_, time) => {
    if (/^\d+\.\d+$/.test(time)) return `"timestamp":"${(Number(time) + byMs / 1000).toFixed(9)}"`;
    return `"timestamp":"${new Date(Date.parse(time) + byMs).toISOString()}"`;
  });
}

/** What `locket-wasm watch --output` would have written beside an incident, with a look every so often and a clock that is ahead. */
export async function recordOf(diagnose, name, { everyMs = 2_000, aheadMs = 0 } = {}) {
  const { keys, fromMs, toMs } = await diagnose(logsOf(name));
  const rows = keys.flatMap(({ key, lanes }) => lanes.filter(({ kind }) => kind === 'row').flatMap(({ parts }) => parts.map(({ owner, fromMs: from, toMs: to, end }) => ({ key, owner, from, to: end === 'open' ? Infinity : to }))));
  const looked = (ms) => new Map(rows.filter(({ from, to }) => from <= ms && ms < to).map(({ key, owner }) => [key, { key, owner, type: 'lock', type_code: 1 }]));
  const at = (ms) => new Date(ms + aheadMs).toISOString();
  const line = (ms, message, data) => JSON.stringify({ timestamp: at(ms), level: 'info', source: 'locket-wasm', message: `locket-wasm.watch.${message}`, data: { session: '1', ...data } });
  const lines = [line(fromMs, 'snapshot', { resources: [...looked(fromMs).values()] })];
  for (let ms = fromMs + everyMs; ms < toMs; ms += everyMs) {
    const [before, now] = [looked(ms - everyMs), looked(ms)];
    const since = { since: at(ms - everyMs) };
    for (const [key, resource] of now) {
      if (!before.has(key)) lines.push(line(ms, 'added', { ...since, resource }));
      else if (before.get(key).owner !== resource.owner) lines.push(line(ms, 'changed', { ...since, resource, previous: before.get(key) }));
    }
    for (const [key, resource] of before) if (!now.has(key)) lines.push(line(ms, 'removed', { ...since, resource }));
  }
  return { name: 'rec.log', data: `${lines.join('\n')}\n` };
}

/** Fails if something is said to be certain that is not so. */
export function assertNoWrongCertainty(name, diagnosis) {
  const truth = truthOf(name);
  // Times are those of the reference's clock; one recording has a clock of its own.
  const offset = 1000 * (truth.log_clock_skew_s[`${diagnosis.reference}.log`] ?? 0);
  for (const finding of diagnosis.findings.filter(({ certainty }) => certainty === 'certain')) {
    const known = KNOWN[finding.kind]?.(truth, finding);
    if (known === undefined) continue;
    const fits = known.some(({ from_ms, to_ms }) => isWithin(finding.from, from_ms + offset) && isWithin(finding.to, to_ms + offset));
    assert.ok(fits, `${name}: certain, and wrong: ${finding.summary} ${JSON.stringify({ from: finding.from, to: finding.to, known, offset })}`);
  }
  if (isHealthy(name)) {
    const losses = diagnosis.findings.filter(({ severity, certainty }) => severity === 'incident' && certainty !== 'possible');
    assert.deepEqual(losses.map(({ summary }) => summary), [], name);
  }
}

const isWithin = ({ earliestMs, latestMs }, ms) => (earliestMs ?? -Infinity) <= ms + MEASURED_MS && (latestMs ?? Infinity) >= ms - MEASURED_MS;
const ofKey = (list, { key }) => list.filter((one) => one.key === key);
const moments = (list) => list.map((ms) => ({ from_ms: ms, to_ms: ms }));

/** What is known of that which a finding claims. */
const KNOWN = {
  'two-owners': (truth, finding) => ofKey(truth.two_believe_at_once, finding),
  expired: (truth, finding) => moments(ofKey(truth.no_row, finding).map(({ from_ms }) => from_ms)),
  'table-dropped': (truth, finding) => moments(ofKey(truth.no_row, finding).map(({ from_ms }) => from_ms)),
  'lost-by-collision': (truth, finding) => lossesOf(truth, finding),
  'lost-by-timeout': (truth, finding) => lossesOf(truth, finding),
  'lost-by-error': (truth, finding) => lossesOf(truth, finding),
};

const lossesOf = (truth, finding) => moments(ofKey(truth.losses, finding).map(({ ms }) => ms));
