// Properties of the user's own, runs that reach a visible state, and the report of the search about its bounds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { LocketArgumentError, runScenario } from 'locket-wasm';
import { explore, witness } from 'locket-wasm/check';

const UPSTREAM = { runner: 'upstream', ttl: '15s', retryInterval: '5s' };
const twoOwners = ({ owners }) => owners.length > 1;

describe('a property of the user\'s own', () => {
  it('says what one-owner says, if it is the same', async () => {
    for (const runner of ['upstream', 'safe']) {
      const question = { ...UPSTREAM, runner, pause: '20s' };
      const [own, same] = await Promise.all([explore({ ...question, property: { is: 'own', never: twoOwners } }), explore(question)]);
      assert.deepEqual([own.verdict, own.timeMs, own.twoOwnersMs], [same.verdict, same.timeMs, same.twoOwnersMs]);
    }
  });

  it('sees clients by the names that they have in stories', async () => {
    const seen = new Set();
    const never = ({ owners, running, rowOf }) => {
      for (const name of [...owners, ...running, rowOf]) seen.add(name);
      return false;
    };
    await explore({ ...UPSTREAM, property: { is: 'own', never } });
    assert.deepEqual([...seen].sort(), ['a', 'b', 'c', 'd', null].sort());
  });

  it('cannot change what it sees for others', async () => {
    const never = (state) => {
      state.owners.push('x');
      state.running.length = 0;
      return false;
    };
    assert.equal((await explore({ ...UPSTREAM, property: { is: 'own', never } })).verdict, 'safe');
  });

  for (const [what, property, field] of [
    ['no function', { is: 'own' }, 'property.never'],
    ['something else', { is: 'own', never: 'always' }, 'property.never'],
    ['a function that gives no boolean', { is: 'own', never: () => 1 }, 'property.never'],
    ['a function for another property', { is: 'one-owner', never: () => true }, /property/],
    ['a length of time without a unit', { is: 'own', never: () => true, allow: 1 }, 'property.allow'],
    ['a bound that is none', { is: 'own', never: () => true, within: '1s' }, 'property.within'],
  ]) {
    it(`takes a function of a visible state, not ${what}`, async () => {
      await assert.rejects(explore({ ...UPSTREAM, property }), (error) => {
        assert.ok(error instanceof LocketArgumentError, error);
        assert.match(error.field, field instanceof RegExp ? field : new RegExp(`^${field}$`));
        return true;
      });
    });
  }

  it('lets what it throws through', async () => {
    const never = () => { throw new RangeError('mine'); };
    await assert.rejects(explore({ ...UPSTREAM, property: { is: 'own', never } }), RangeError);
  });
});

describe('a witness', () => {
  it('is a run that comes there, and its scenario is one', async () => {
    const found = await witness({ ...UPSTREAM, pause: '20s' }, ({ owners, rowOf }) => owners.includes('a') && rowOf === 'b');
    assert.equal(found.is, 'found');
    assert.ok(found.story.lines.length > 0 && found.link.length > 0);
    assert.deepEqual(runScenario(found.scenario).failures, []);
  });

  it('is impossible where no run comes there', async () => {
    const none = await witness({ ...UPSTREAM, runner: 'safe', pause: '20s' }, twoOwners);
    assert.deepEqual([none.is, /one pause/.test(none.bounds)], ['impossible', true]);
  });

  it('is not known where not everything was tried', async () => {
    const none = await witness({ ...UPSTREAM, runner: 'safe', pause: '20s' }, twoOwners, { maxStates: 10 });
    assert.equal(none.is, 'unknown');
  });

  it('can ask for something that lasts', async () => {
    const nobody = ({ owners }) => owners.length === 0;
    const [short, long] = await Promise.all(['1s', '90s'].map((allow) => witness({ ...UPSTREAM, latency: '2s' }, nobody, { allow })));
    assert.deepEqual([short.is, long.is], ['found', 'impossible']);
  });

  it('refuses options that are no object, with a typed error', async () => {
    await assert.rejects(witness(UPSTREAM, twoOwners, null), { name: 'LocketArgumentError', field: 'options' });
  });

  it('takes no property beside, a function, and a duration with its unit', async () => {
    await assert.rejects(witness({ ...UPSTREAM, property: { is: 'false-loss' } }, twoOwners), { name: 'LocketArgumentError', field: 'property' });
    await assert.rejects(witness(UPSTREAM, twoOwners, { allow: 1 }), { name: 'LocketArgumentError', field: 'allow' });
    await assert.rejects(witness(UPSTREAM), { name: 'LocketArgumentError', field: 'when' });
    await assert.rejects(witness(undefined, twoOwners), { name: 'LocketArgumentError', field: 'question' });
  });
});

it('a search says what happened in it, and which of the faults that it may use never did', async () => {
  const { coverage } = await explore({ ...UPSTREAM, pauses: 1, crashes: 1 });
  assert.deepEqual(coverage.neverHappened, ['pauses']);
  assert.ok(coverage.happened.includes('a client crashes'));
  assert.ok(coverage.runners.includes('holds its lock'));
  assert.ok(coverage.clientStates > 1 && coverage.locketStates > 1);
});
