// V8 of Node 20 ends the process where a function of a module was made part of the code around it, returns an externref, and
// that code was thrown away meanwhile ("unreachable code"). The glue keeps them apart.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

test('a call into the module returns to code that V8 has thrown away during it', () => {
  const script = fileURLToPath(new URL('deoptimized-caller.mjs', import.meta.url));
  const told = JSON.parse(execFileSync(process.execPath, ['--allow-natives-syntax', script], { encoding: 'utf8' }));
  assert.ok(told.thrownAway > 0, 'the module made no object by the global Object: nothing was tested');
  assert.ok(told.switches.includes('expiry'), told.switches);
});
