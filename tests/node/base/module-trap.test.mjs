// A bug in the module, which no input of a user may bring about: it is one to report, and all else goes on.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { init, LocketServer, ModuleError, runScenario } from 'locket-wasm';

import { withTrap } from './patched-module.mjs';

before(() => init(withTrap('profiles')));

test('a trap is a bug to report, and the module begins anew', async () => {
  const server = new LocketServer();
  for (let round = 0; round < 3; round += 1) {
    assert.throws(
      () => new LocketServer({ profile: {} }),
      (error) => {
        assert.ok(error instanceof ModuleError, error.stack);
        assert.equal(error.reason, 'bug');
        assert.match(error.message, /^bug in locket-wasm, please report it: .*(memory|bounds)/);
        return true;
      },
    );
    assert.equal(runScenario({ name: 'x', until: '20s', clients: [] }).failures.length, 0);
  }
  assert.throws(() => server.table(), { name: 'ModuleError', reason: 'replaced' });
});
