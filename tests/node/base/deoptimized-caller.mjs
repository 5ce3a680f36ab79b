// Run by optimized-callers.test.mjs with V8's own functions: code that V8 has optimized is thrown away while it waits for a
// function of the module that returns an object.

import { profilePresets } from 'locket-wasm';

function caller() {
  return profilePresets();
}

for (let round = 0; round < 2000; round += 1) caller();
%PrepareFunctionForOptimization(caller);
caller();
caller();
%OptimizeFunctionOnNextCall(caller);
caller();

const { Object: original } = globalThis;
let thrownAway = 0;
// The module makes its objects with it.
globalThis.Object = function makeObject() {
  thrownAway += 1;
  %DeoptimizeFunction(caller);
  return {};
};
caller();
globalThis.Object = original;
console.log(JSON.stringify({ thrownAway, presets: Object.keys(caller()) }));
