// What wasm-bindgen's glue has to be for this package. It gets its `fetch` and its task queue from src/transport/fetch/glue.js,
// where tests that replace globals do not reach; guard.js stands between it and the instance.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

// The globals that the glue uses, and their replacements.
const GLUE_GLOBALS = [
  ['const ret = fetch(arg0, arg1);', 'const ret = glueFetch(arg0, arg1);'],
  ['const ret = arg0.fetch(arg1, arg2);', 'const ret = glueFetch(arg1, arg2);'],
  ['const ret = new AbortController();', 'const ret = new GlueAbortController();'],
  ['const ret = new Headers();', 'const ret = new GlueHeaders();'],
  ['const ret = new Request(', 'const ret = new GlueRequest('],
  ['            queueMicrotask(arg0);', '            glueQueueMicrotask(arg0);'],
];

// The guard between the glue and the instance, src/js/glue/guard.js: it replaces an instance that has trapped. Objects of the
// old instance are neither used nor freed in the new one.
const GUARDS = [
  // Lets bundlers leave out unused objects.
  [/(?<=: )(?=new FinalizationRegistry\()/, '/* @__PURE__ */ '],
  [/(?<== )(?=new Text(?:De|En)coder\()/, '/* @__PURE__ */ '],
  [/^if \(Symbol\.dispose\) .*\n/m, ''],
  [/^cachedTextDecoder\.decode\(\);\n/m, ''],
  [/^if \(!\('encodeInto' in cachedTextEncoder\)\) \{[^]*?\n\}\n/m, ''],
  [/let wasmModule, wasmInstance, wasm;/, 'let wasmModule, wasmInstance, wasm = atFirstUse((module) => initSync({ module }));'],
  [/if \(wasm !== undefined\) return wasm;/, 'if (wasmModule !== undefined) return wasm;'],
  [/wasm = instance\.exports;/, 'wasm = guarded(instance.exports, __wbg_reset_state);'],
  [/wasm = wasmInstance\.exports;/, 'wasm = guarded(wasmInstance.exports, __wbg_reset_state);'],
  [/throw new Error\('Invalid stale object from previous Wasm instance'\);/, 'throw lost();'],
  [/throw new Error\('Cannot invoke closure from previous WASM instance'\);/, 'return undefined;'],
  [/(?<=free\(\) \{\n\s+const ptr = this\.__destroy_into_raw\(\);\n)/, '        if (this.__wbg_inst !== undefined && this.__wbg_inst !== __wbg_instance_id) return;\n'],
  // The new instance must not free arguments of the old one.
  [/(?<=\} catch \(e\) \{\n)(?=\s+if \(ptr\d+\) \{ wasm\.)/, '        if (hasEnded(e)) throw e;\n'],
  [/if \(--state\.cnt === 0\)/, 'if (--state.cnt === 0 && state.instance === __wbg_instance_id)'],
];

// Functions of the carrier that src/js uses too: the glue exports them, with their types.
const GLUE_EXPORTS = {
  requestId: ['request_id.js', '(): string'],
  onAbort: ['signals.js', '(signal: AbortSignal, callback: () => void): () => void'],
  monotonicMs: ['timers.js', '(ambient: boolean): number'],
  nextTask: ['timers.js', '(callback: () => void): void'],
  startTimer: ['timers.js', '(ms: number, callback: () => void, ambient: boolean): () => void'],
  wallMs: ['timers.js', '(ambient: boolean): number'],
};

// The glue as a value, for code that serves more than one module: src/js/base/glue.ts describes it.
const GLUE_VALUE = `
export const glue = {
  instantiate: (module) => void initSync({ module }),
  isLoaded: () => wasmModule !== undefined,
  load: () => void wasm.memory,
  lastPanic,
  giveBackAbove,
  onInstanceEnd,
  setErrors: setModuleErrors,
  setSource: setModuleSource,
};
`;

const GLUE_TYPES = `
import type { Glue } from '../../../src/js/base/glue.js';
export const glue: Glue;
`;

/** Rewrites the glue in a directory, and puts the files beside it that it imports then. */
export function rewriteGlue(glue) {
  const [snippets] = readdirSync(`${glue}/snippets`).filter((name) => name.startsWith('locket-wasm-'));
  const directory = `snippets/${snippets}/src/transport/fetch`;
  cpSync('src/transport/fetch/glue.js', `${glue}/${directory}/glue.js`);
  // A module without a client takes less from the global object.
  const made = readFileSync(`${glue}/locket.js`, 'utf8');
  const isClient = made.includes(`${directory}/hook.js`);
  const names = [...new Set(GLUE_GLOBALS.map(([, instead]) => /glue\w+/i.exec(instead)[0]))];
  let text = `import { ${names.join(', ')} } from './${directory}/glue.js';\n${made}`;
  for (const [global, instead] of GLUE_GLOBALS) {
    const parts = text.split(global);
    if (parts.length > 2 || (isClient && parts.length < 2)) throw new Error(`wasm-bindgen's glue has ${parts.length - 1} times ${JSON.stringify(global)}`);
    text = parts.join(instead);
  }
  cpSync('src/js/glue/guard.js', `${glue}/guard.js`);
  text = withGuard(text);
  let types = readFileSync(`${glue}/locket.d.ts`, 'utf8') + GLUE_TYPES;
  for (const [name, [file, type]] of Object.entries(GLUE_EXPORTS)) {
    text += `export { ${name} } from './${directory}/${file}';\n`;
    types += `export function ${name}${type};\n`;
  }
  text += GLUE_VALUE;
  writeFileSync(`${glue}/locket.js`, text);
  writeFileSync(`${glue}/locket.d.ts`, types);
}

function withGuard(glue) {
  let text = `import { atFirstUse, giveBackAbove, guarded, hasEnded, lost, onInstanceEnd, setModuleErrors, setModuleSource } from './guard.js';\n${glue}`;
  for (const [place, instead] of GUARDS) {
    if (!place.test(text)) throw new Error(`wasm-bindgen's glue has nowhere ${place}`);
    text = text.replaceAll(new RegExp(place, `g${place.flags}`), instead);
  }
  return text;
}
