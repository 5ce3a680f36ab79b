// A process that keeps a lock in hostile time, and samples what its runner believes.
//
//   node --expose-gc hostile-time.worker.mjs URL MODE
//
// Time goes in cycles, the same in all processes: calls pass, then none does until the end of the cycle. A mode breaks a clock,
// timers or the event loop before the package is loaded, or in each cycle once calls are cut. When the parent disconnects, it
// sends the samples in which the lock was believed to be held: by the runner, and by its signal as no timer has aborted it yet.

import { performance } from 'node:perf_hooks';
import { setTimeout as realTimer } from 'node:timers';

import { busy, CYCLE, nowMs, phaseMs } from './hostile-time.mjs';

const SAMPLE_MS = 4;
const realDate = Date.now;
const wall = (now) => (Date.now = now);
// The package takes it from the prototype, since fakes replace the object's own.
const monotonic = (now) => (Object.getPrototypeOf(performance).now = now);
const timers = (start) => (globalThis.setTimeout = start);

/** Runs `step` until time is over, however it waits in between. */
const flood = (step) => () => {
  const end = nowMs() + CYCLE.disturbedMs;
  const go = () => nowMs() < end && (sample(), step(go));
  go();
};

/** `before` changes the process for good, `disturb` once in each cycle, and `stop` has the parent stop it then. */
export const MODES = {
  'calls are cut, and nothing else': {},
  'the event loop is blocked': { disturb: () => busy(CYCLE.disturbedMs) },
  'the event loop is blocked again and again': { always: () => busy(60) },
  'stopped by a signal': { stop: true },
  'stopped while a reply waits': { stop: true, isInCall: true },
  'suspended: the monotonic clock stands still meanwhile': { stop: true, before: () => monotonic(withoutGaps()) },
  'the wall clock an hour ahead': { disturb: () => wall(() => realDate() + 3_600_000) },
  'the wall clock an hour back': { disturb: () => wall(() => realDate() - 3_600_000) },
  'the wall clock to and fro by an hour': { before: () => wall(() => realDate() + (Math.floor(nowMs() / 700) % 2) * 3_600_000) },
  'the wall clock stands still': { before: () => wall(() => 1_700_000_000_000) },
  'the monotonic clock stands still': { before: () => monotonic(() => 5_000) },
  'the monotonic clock at half speed': { before: () => monotonic(() => nowMs() / 2) },
  'the monotonic clock is set back': { before: () => monotonic(() => nowMs() - 400 * Math.floor(nowMs() / 1_000)) },
  'timers once a second': { before: () => timers((callback, ms = 0) => realTimer(callback, 1_000 * Math.ceil(Math.max(ms, 1) / 1_000))) },
  'timers early': { before: () => timers((callback, ms = 0) => realTimer(callback, ms / 3)) },
  'timers late': { before: () => timers((callback, ms = 0) => realTimer(callback, 3 * ms + 300)) },
  'timers never longer than 20 ms': { before: () => timers((callback, ms = 0) => realTimer(callback, Math.min(ms, 20))) },
  'no timer while calls are cut': { before: () => timers(function start(callback, ms = 0) { return realTimer(() => (isCut() ? start(callback, 50) : callback()), ms); }) },
  'garbage collection': { disturb: () => { for (const end = nowMs() + CYCLE.disturbedMs; nowMs() < end; globalThis.gc()) sample(); } },
  'microtasks without end': { disturb: flood((go) => void Promise.resolve().then(go)) },
  'ticks without end': { disturb: flood((go) => process.nextTick(go)) },
  'replies that are late': { replyMs: 700, retryInterval: '900ms' },
  // It counts no lease: that the instrument sees what it looks for.
  'a runner that counts no lease, blocked': { runner: 'upstream', isUnsafe: true, disturb: () => busy(CYCLE.disturbedMs) },
};

/** The time without the stretches in which nobody looked. */
function withoutGaps() {
  let [last, missed] = [nowMs(), 0];
  return () => {
    const now = nowMs();
    if (now - last > 500) missed += now - last;
    last = now;
    return now - missed;
  };
}

const isCut = () => phaseMs() > CYCLE.cutMs;
const rawAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted').get;
const [believed, unchecked] = [[], []];
let [runner, signal] = [];
let sampledMs = 0;

function sample() {
  const from = nowMs();
  // A flood asks far more often.
  if (from - sampledMs < 1) return;
  sampledMs = from;
  if (signal !== undefined && !rawAborted.call(signal)) unchecked.push([from, nowMs()]);
  const began = nowMs();
  if (runner?.held) believed.push([began, nowMs()]);
}

async function main(url, mode) {
  const { before, disturb, always, stop, isInCall, replyMs, retryInterval = '200ms', runner: kind = 'safe' } = MODES[mode];
  before?.();
  const { LocketClient } = await import('locket-wasm/client');
  const { GrpcChannel } = await import('locket-wasm/grpc');
  const channel = new GrpcChannel({ url });
  let disturbedIn;
  const isDue = () => {
    const cycle = Math.floor(nowMs() / CYCLE.lengthMs);
    if (!isCut() || phaseMs() > CYCLE.lastMs || disturbedIn === cycle) return false;
    disturbedIn = cycle;
    return true;
  };
  const fetch = async (path, init) => {
    const isLast = isCut() && isInCall && isDue();
    if (isCut() && !isLast) throw Object.assign(new Error('cut'), { notSent: true });
    const answer = channel.clientOptions.fetch(path, init);
    if (isLast) process.send('stop');
    if (replyMs !== undefined) await new Promise((resolve) => realTimer(resolve, replyMs));
    return answer;
  };
  const client = new LocketClient({ ...channel.clientOptions, fetch });
  runner = client.lockRunner({ key: mode, owner: 'holder', ttl: '2s', retryInterval, runner: kind }, { afterLoss: 'retry' });
  runner.addEventListener('acquired', (event) => (signal = event.signal));
  const look = () => {
    if (!isInCall && isDue()) {
      if (stop) process.send('stop');
      disturb?.();
    }
    always?.();
    sample();
    realTimer(look, SAMPLE_MS);
  };
  look();
  process.once('message', () => process.send({ believed, unchecked }, () => process.exit()));
}

if (process.send !== undefined) await main(...process.argv.slice(2));
