// Properties of the user's own, and the report of the search about its bounds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { LocketArgumentError, runScenario } from 'locket-wasm';
import { explore } from 'locket-wasm/check';

const UPSTREAM = { runner: 'upstream', ttl: '15s', retryInterval: '5s' };
const twoOwners = ({ owners }) => owners.length > 1;

describe('a property of the user\'s own', () => {
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
      const isBroken = twoOwners(state);
      state.owners.push('x');
      state.running.length = 0;
      return isBroken;
    };
    assert.equal((await explore({ ...UPSTREAM, property: { is: 'own', never } })).verdict, 'safe');
  });

  it('is never exercised if no state of the clients breaks it', async () => {
    for (const never of [() => false, ({ owners }) => owners.length > 2]) {
      const { verdict, because } = await explore({ ...UPSTREAM, property: { is: 'own', never } });
      assert.deepEqual([verdict, because], ['unknown', 'never-exercised']);
    }
  });

  it('refuses a member that a state does not have, and says which was meant', async () => {
    for (const [never, says] of [
      [(state) => state.owner?.length > 1, /^property\.never: reads an unknown member owner; did you mean owners\?$/],
      [({ rowof }) => rowof === 'a', /unknown member rowof; did you mean rowOf\?/],
      [({ holder }) => holder === 'a', /unknown member holder; the members are owners, running, rowOf/],
    ]) {
      await assert.rejects(explore({ ...UPSTREAM, property: { is: 'own', never } }), { name: 'LocketArgumentError', field: 'property.never', message: says });
    }
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

  it('is answered with a run that reaches such a state, as a scenario', async () => {
    const never = ({ owners, rowOf }) => owners.includes('a') && rowOf === 'b';
    const { verdict, story, link, scenario } = await explore({ ...UPSTREAM, faults: { pause: { length: '20s', count: 1 } }, property: { is: 'own', never } });
    assert.equal(verdict, 'unsafe');
    assert.ok(story.lines.length > 0 && link.length > 0);
    assert.deepEqual(runScenario(scenario).failures, []);
  });

  it('lets what it throws through', async () => {
    const never = () => { throw new RangeError('mine'); };
    await assert.rejects(explore({ ...UPSTREAM, property: { is: 'own', never } }), RangeError);
  });
});

