// Errors about an unknown name ask whether the nearest known name was meant.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cli } from '../support/command-line.mjs';

const scenario = (members) => JSON.stringify({ name: 'x', until: '10s', clients: [{ name: 'bbs', key: 'k' }], ...members });
const firstLine = (args, input) => cli(args, input).stderr.split('\n', 1)[0];

const NAMES = {
  'a member of a client': [scenario({ clients: [{ name: 'a', kee: 'k' }] }), 'key'],
  'an action': [scenario({ actions: [{ at: '1s', do: 'lok', node: 'bbs' }] }), 'lock'],
  'a node': [scenario({ actions: [{ at: '1s', do: 'lock', node: 'bsb' }] }), 'bbs'],
  'a runner': [scenario({ clients: [{ name: 'a', key: 'k', runner: 'upstrem' }] }), 'upstream'],
  'a profile': [scenario({ profile: 'documentd' }), 'documented'],
};

for (const [what, [text, meant]] of Object.entries(NAMES)) {
  test(`the nearest name of ${what} is suggested`, () => {
    assert.match(firstLine(['run', '-'], text), new RegExp(`; did you mean ${meant}\\?$`));
  });
}

test('the nearest member of a question is suggested', () => {
  assert.match(firstLine(['explore', '--questions', '-'], '{"tll":"3s"}'), /question 1: .*; did you mean ttl\?$/);
});

test('the nearest job is suggested, and all are listed', () => {
  assert.match(firstLine(['advise', '--job', 'repp']), /--job: repp is no job .*; there are .*\bbbs\b.*; did you mean rep\?/);
});

test('without a near name there is no suggestion', () => {
  assert.doesNotMatch(firstLine(['run', '-'], scenario({ profile: 'zookeeper' })), /did you mean/);
});
