// Run by optimized-callers.test.mjs with V8's own functions: code that V8 has optimized is thrown away while it waits for a
// function of the module that returns an object.

import { LocketServer } from 'locket-wasm';

const server = new LocketServer();

// As text: nothing else reads V8's own syntax.
const [prepare, optimize, deoptimize] = ['PrepareFunctionForOptimization', 'OptimizeFunctionOnNextCall', 'DeoptimizeFunction'].map(
  (name) => new Function('code', `%${name}(code)`),
);

function caller() {
  return server.profile;
}

for (let round = 0; round < 2000; round += 1) caller();
prepare(caller);
caller();
caller();
optimize(caller);
caller();

const { Object: original } = globalThis;
let thrownAway = 0;
// The module makes its objects with it.
globalThis.Object = function makeObject() {
  thrownAway += 1;
  deoptimize(caller);
  return {};
};
caller();
globalThis.Object = original;
console.log(JSON.stringify({ thrownAway, switches: Object.keys(caller()) }));
