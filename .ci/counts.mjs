// How many tests of each suite passed, and in which time: target/suites/NAME.json.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const DIRECTORY = new URL('../target/suites/', import.meta.url);

export function forget(name) {
  rmSync(fileOf(name), { force: true });
}

export function note(name, count) {
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(fileOf(name), JSON.stringify(count));
}

export function recall(name) {
  return JSON.parse(readFileSync(fileOf(name), 'utf8'));
}

export function summaryLine(name, { passed, seconds }) {
  return `${name.padEnd(12)} ${String(passed).padStart(5)} passed ${seconds.toFixed(1).padStart(7)} s`;
}

function fileOf(name) {
  return new URL(`${name}.json`, DIRECTORY);
}
