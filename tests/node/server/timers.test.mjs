// The virtual clock where code wants the platform's timers.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { VirtualClock } from 'locket-wasm';

import { assertWrongArgument, failureOf } from '../support/helpers.mjs';

describe('the members of a virtual clock', () => {
  test('can be taken off it', () => {
    const clock = new VirtualClock();
    const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = clock;
    const ran = [];
    setTimeout(() => ran.push('timeout'), 5);
    const interval = setInterval(() => ran.push('interval'), 4);
    setImmediate(() => ran.push('immediate'));
    clearTimeout(setTimeout(() => ran.push('cleared'), 1));
    clearImmediate(setImmediate(() => ran.push('cleared')));
    clock.advance('9ms');
    clearInterval(interval);
    clock.advance('9ms');
    assert.deepEqual(ran, ['immediate', 'interval', 'timeout', 'interval']);
  });

  test('take delays as the platform does: with fractions, negative or not at all', () => {
    const clock = new VirtualClock();
    const times = [];
    for (const delay of [undefined, -5, 0.9, 2.7, 3]) clock.setTimeout(() => times.push(clock.now), delay);
    clock.setTimeout(() => times.push(clock.now));
    clock.advance('10ms');
    assert.deepEqual(times, [0, 0, 0, 0, 2, 3]);
  });

  test('hand further arguments to the callback', () => {
    const clock = new VirtualClock();
    const seen = [];
    const note = (...args) => seen.push(args);
    clock.setTimeout(note, 1, 'a', 1);
    clock.setImmediate(note, 'b');
    const interval = clock.setInterval(note, 2, 'c');
    clock.advance('2ms');
    clock.clearInterval(interval);
    assert.deepEqual(seen, [['b'], ['a', 1], ['c']]);
  });

  test('give handles that clear by number and by text, too', () => {
    const clock = new VirtualClock();
    const ids = [1, 2, 3].map(() => clock.setTimeout(() => assert.fail('it was cleared'), 1));
    clock.clearTimeout(+ids[0]);
    clock.clearTimeout(`${ids[1]}`);
    ids[2][Symbol.dispose]();
    clock.clearTimeout(undefined);
    clock.clearTimeout(99);
    clock.advance('10ms');
    assert.equal(clock.pending, 0);
  });

  test('give handles with ref, unref and hasRef', () => {
    const timer = new VirtualClock().setTimeout(() => {});
    assert.deepEqual([timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef()], [true, false, true]);
  });

  test('give handles whose refresh lets the whole time pass again, unless they were cleared', () => {
    const clock = new VirtualClock();
    const times = [];
    const timer = clock.setTimeout(() => times.push(clock.now), 10);
    clock.advance('9ms');
    timer.refresh();
    clock.advance('10ms');
    timer.refresh();
    clock.advance('10ms');
    clock.clearTimeout(timer.refresh());
    timer.refresh();
    clock.advance('10ms');
    assert.deepEqual(times, [19, 29]);
    const interval = clock.setInterval(() => times.push(clock.now), 10);
    clock.advance('5ms');
    interval.refresh();
    clock.advance('10ms');
    interval.close();
    clock.advance('100ms');
    assert.deepEqual(times, [19, 29, 54]);
  });
});

describe('sleep', () => {
  test('ends with its signal, and leaves nothing on the clock', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const failed = failureOf(clock.sleep('5s', { signal: controller.signal }));
    controller.abort(new Error('enough'));
    assert.equal(await failed, controller.signal.reason);
    assert.equal(clock.pending, 0);
    assert.equal(await failureOf(clock.sleep('5s', { signal: controller.signal })), controller.signal.reason);
  });

  test('checks its options', async () => {
    await assertWrongArgument('signal', () => new VirtualClock().sleep('5s', { signal: 5 }));
    await assertWrongArgument('sigal', () => new VirtualClock().sleep('5s', { sigal: undefined }));
  });
});
