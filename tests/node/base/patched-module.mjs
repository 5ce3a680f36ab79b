// A module of the package with less memory, or with a function that traps: for what no input of a user may bring about.

import { readFileSync } from 'node:fs';

const DIST = new URL('../../../pkg/dist/', import.meta.url);
const SECTION = { import: 2, function: 3, memory: 5, export: 7, code: 10 };
const PAGE = 64 * 1024;

/** The module, whose memory may not grow beyond so many bytes. */
export function withMemory(bytes, module = 'simulator') {
  return rewritten(module, SECTION.memory, (content) => {
    const read = reader(content);
    if (read.leb() !== 1) throw new Error('expected one memory');
    const flags = read.leb();
    const min = read.leb();
    if (flags !== 0) throw new Error('expected a memory without a limit of its own');
    return [1, 1, ...leb(min), ...leb(Math.max(min, Math.floor(bytes / PAGE)))];
  });
}

/** The module, in which the function that is exported under this name reads where there is no memory. */
export function withTrap(name, module = 'simulator') {
  const sections = parsed(bytesOf(module));
  const imported = importedFunctions(sections.get(SECTION.import));
  const index = exportedFunction(sections.get(SECTION.export), name) - imported;
  return rewritten(module, SECTION.code, (content) => {
    const read = reader(content);
    const bodies = Array.from({ length: read.leb() }, () => read.bytes(read.leb()));
    // No locals; i32.const -4; i32.load; unreachable; end.
    bodies[index] = Uint8Array.of(0, 0x41, 0x7c, 0x28, 2, 0, 0x1a, 0x00, 0x0b);
    return [...leb(bodies.length), ...bodies.flatMap((body) => [...leb(body.length), ...body])];
  });
}

function bytesOf(module) {
  return readFileSync(new URL(`${module}.wasm`, DIST));
}

function rewritten(module, section, rewrite) {
  const bytes = bytesOf(module);
  const parts = [bytes.subarray(0, 8)];
  for (const [id, content] of parsed(bytes, true)) {
    const now = id === section ? Buffer.from(rewrite(content)) : content;
    parts.push(Buffer.from([id, ...leb(now.length)]), now);
  }
  return Buffer.concat(parts);
}

function parsed(bytes, asList = false) {
  const read = reader(bytes.subarray(8));
  const list = [];
  while (!read.isAtEnd()) list.push([read.byte(), read.bytes(read.leb())]);
  return asList ? list : new Map(list);
}

function importedFunctions(content) {
  const read = reader(content);
  let functions = 0;
  for (let left = read.leb(); left > 0; left -= 1) {
    read.bytes(read.leb());
    read.bytes(read.leb());
    const kind = read.byte();
    if (kind !== 0) throw new Error('expected to import functions only');
    read.leb();
    functions += 1;
  }
  return functions;
}

function exportedFunction(content, wanted) {
  const read = reader(content);
  for (let left = read.leb(); left > 0; left -= 1) {
    const name = Buffer.from(read.bytes(read.leb())).toString();
    const kind = read.byte();
    const index = read.leb();
    if (kind === 0 && name === wanted) return index;
  }
  throw new Error(`the module exports no function ${wanted}`);
}

function reader(bytes) {
  let at = 0;
  const byte = () => bytes[at++];
  return {
    byte,
    isAtEnd: () => at >= bytes.length,
    bytes: (length) => bytes.subarray(at, (at += length)),
    leb: () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const part = byte();
        value += (part & 0x7f) * 2 ** shift;
        if (part < 0x80) return value;
      }
    },
  };
}

function leb(value) {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) + 128);
  }
}
