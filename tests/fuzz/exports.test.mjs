// Every export of every entry, called with anything. An export that nobody says how to fuzz is a failure by its name.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import fc from 'fast-check';
import * as check from 'locket-wasm/check';
import * as client from 'locket-wasm/client';
import * as grpc from 'locket-wasm/grpc';
import * as main from 'locket-wasm';
import * as diagnosing from 'locket-wasm/diagnose';
import * as serving from 'locket-wasm/serve';
import * as picture from 'locket-wasm/picture';
import * as stories from 'locket-wasm/stories';
import * as testing from 'locket-wasm/testing';
import * as types from 'locket-wasm/types';
import * as inferred from 'locket-wasm/types/inferred';

import { CLASSES, PLAIN } from './classes.mjs';
import { FUNCTIONS } from './functions.mjs';
import { assertWorks, isAbort, taken } from './oracle.mjs';
import { fuzz } from './round.mjs';
import { anything } from './values.mjs';

const ENTRIES = {
  '.': main,
  './check': check,
  './client': client,
  './diagnose': diagnosing,
  './grpc': grpc,
  './picture': picture,
  './serve': serving,
  './stories': stories,
  './testing': testing,
  './types': types,
  './types/inferred': inferred,
};
/** They are './testing' within a test runner, without which they cannot be imported. */
const OF_RUNNERS = ['./testing/jest', './testing/vitest'];
const INPUTS = 25;
/** How long a promise may wait that somebody else has to fulfil. */
const PATIENCE_MS = 20;

/** What TypeScript keeps users from. */
const PROTECTED = new Set(['constructor', 'clientChanged', 'noteSleep', 'start']);

/** Classes that are not exported are those of what others give. */
const MEMBERS = {};
for (const [name, { make, methods }] of Object.entries(CLASSES)) {
  const prototype = Object.getPrototypeOf(await make());
  MEMBERS[name] = { prototype: prototype === Object.prototype ? undefined : prototype, methods };
}

test('every export of every entry has a fuzz target', () => {
  const targets = new Set([...Object.keys(FUNCTIONS), ...Object.keys(CLASSES), ...PLAIN]);
  const all = Object.entries(ENTRIES).flatMap(([entry, exports]) => Object.keys(exports).map((name) => [entry, name]));
  assert.deepEqual(all.filter(([, name]) => !targets.has(name)), []);
});

test('every entry of the manifest is known here', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../pkg/package.json', import.meta.url), 'utf8'));
  const entries = Object.keys(exports).filter((entry) => typeof exports[entry] !== 'string');
  assert.deepEqual(entries.sort(), [...Object.keys(ENTRIES), ...OF_RUNNERS].sort());
});

for (const [name, calls] of Object.entries(FUNCTIONS)) {
  const inputs = fc.oneof(...calls.map(([args], index) => fc.tuple(fc.constant(index), fc.tuple(...args))));
  fuzz(name, INPUTS, inputs, async ([index, args]) => {
    const [, call, isAllowed] = calls[index];
    await taken(() => call(...args), isAllowed);
    await assertWorks();
  });
}

for (const [name, how] of Object.entries(CLASSES)) {
  fuzz(name, 2 * INPUTS, fc.oneof(...usesOf(name, how)), async ({ use, args }) => {
    await taken(() => use(args), (error) => isAbort(error) || how.isAllowed?.(args.method, error));
    await assertWorks();
  });
}

/** The constructor, static functions, and several calls of one instance. */
function usesOf(name, { make, args, statics = {}, methods = {}, pending = [] }) {
  const made = args === undefined ? [] : [uses('new', args, (given) => new (main[name] ?? check[name] ?? grpc[name])(...given).close?.())];
  const own = Object.entries(statics).map(([method, args]) => uses(method, args, (given) => main[name][method](...given)));
  const calls = fc.oneof(...membersOf(name).map((member) => callOf(member, methods[member] ?? [anything, anything])));
  const several = fc.array(calls, { minLength: 1, maxLength: 4 });
  return [...made, ...own, several.map((calls) => ({ args: calls, use: () => inTurn(make, calls, CLASSES[name], pending) }))];
}

function uses(method, args, use) {
  return fc.tuple(...args).map((given) => ({ args: Object.assign(given, { method }), use }));
}

function callOf(method, args) {
  return fc.tuple(...args).map((given) => ({ method, given }));
}

/** Calls methods of one instance and reads its other members; what is refused is refused alone. */
async function inTurn(make, calls, { isAllowed = () => false }, pending) {
  const instance = await make();
  for (const { method, given } of calls) {
    const mayWait = pending.includes(method);
    await taken(
      () => {
        const member = instance[method];
        return patiently(typeof member === 'function' ? member.apply(instance, given) : member, mayWait);
      },
      (error) => isAbort(error) || isAllowed(method, error),
    );
  }
}

/** A promise that somebody else has to fulfil is waited for for a while only; a runner is let go. */
async function patiently(result, mayWait) {
  result?.abandon?.();
  if (!mayWait || typeof result?.then !== 'function') return result;
  const others = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  return Promise.race([result, others]);
}

/** The names of all that an instance has: of its class, or its own if it is an object of functions. */
function membersOf(name) {
  const { prototype, methods } = MEMBERS[name];
  const names = prototype === undefined ? Object.keys(methods) : [...inherited(prototype)];
  return names.filter((member) => !PROTECTED.has(member));
}

/** The names of a class and of ours that it extends. */
function inherited(prototype) {
  if (prototype === Object.prototype || prototype === EventTarget.prototype) return new Set();
  return new Set([...Object.getOwnPropertyNames(prototype), ...inherited(Object.getPrototypeOf(prototype))]);
}
