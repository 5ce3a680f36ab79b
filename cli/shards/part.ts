// The report of a shard as a file. It names its work, so a merge takes no foreign one, and a process
// that finds its report complete does not run again.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { SettingsMap, Sweep } from 'locket-wasm/check';

import { printableJson } from '../../src/js/base/text.js';
import { EXIT_FAILED, Failure } from '../command.js';
import { readText, writeText } from '../files.js';
import { complain } from '../terminal.js';
import { version } from '../version.js';
import { type Shard, shardText } from './shard.js';

/** The kinds of work that have shards, with the result of one. */
export interface Results {
  /** The rows of the map. */
  map: SettingsMap[];
  seeds: Sweep;
}

/** A shard of work. */
export interface Work<K extends keyof Results = keyof Results> {
  kind: K;
  shard: string;
  /** The version of the package. */
  version: string;
  /** Everything that decides the result. */
  inputs: Record<string, unknown>;
}

/** The report of a shard, as --output writes it. */
export interface Part<K extends keyof Results = keyof Results> extends Work<K> {
  format: typeof FORMAT;
  result: Results[K];
  /** The SHA-256 of the other members' JSON. */
  digest: string;
}

const FORMAT = 'locket-wasm shard 1';

/** The shard of work with these inputs. */
export function workOf<K extends keyof Results>(kind: K, shard: Shard, inputs: Record<string, unknown>): Work<K> {
  return { kind, shard: shardText(shard), version: version(), inputs: sorted(inputs) as Record<string, unknown> };
}

/** Runs a shard and writes its report; takes the result from a complete report. */
export async function runPart<K extends keyof Results>(work: Work<K>, output: string | undefined, run: () => Promise<Results[K]>): Promise<Results[K]> {
  if (output === undefined) return run();
  const found = completePart(work, output);
  if (found !== undefined) {
    complain([`${output} has the complete report of this shard; it is not run again`]);
    return found.result;
  }
  const result = await run();
  writePart(output, work, result);
  return result;
}

/** Writes a report whole or not at all, also beside another process that writes the same one. */
export function writePart<K extends keyof Results>(file: string, { kind, shard, version: by, inputs }: Work<K>, result: Results[K]): void {
  const content = { format: FORMAT, kind, shard, version: by, inputs, result } as const;
  const text = `${printableJson({ ...content, digest: digestOf(content) })}\n`;
  if (file === '-') return writeText(file, text);
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    writeText(unfinished, text);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new Failure(EXIT_FAILED, `cannot write ${file}: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`, error);
  }
}

/** Reads a report. */
export function readPart(file: string): Part {
  const value = parsed(file, readText(file));
  if (!isReport(value)) throw new Failure(EXIT_FAILED, `${file} is no report of a shard; pass files that run --seeds or explore --map wrote with --output`);
  const { digest, ...content } = value;
  if (digest !== digestOf(content)) {
    throw new Failure(EXIT_FAILED, `${file} was changed after it was written; delete it and run its shard again`);
  }
  return value;
}

/** The SHA-256 of a text. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The first difference of two shards' work, as words; `undefined` if both are of the same work. */
export function difference(one: Work, other: Work): string | undefined {
  if (one.kind !== other.kind) return `${one.kind}, not ${other.kind}`;
  if (one.version !== other.version) return `locket-wasm ${one.version}, not ${other.version}`;
  const names = new Set([...Object.keys(one.inputs), ...Object.keys(other.inputs)]);
  const name = [...names].find((it) => !isDeepStrictEqual(one.inputs[it], other.inputs[it]));
  return name && `${name} ${JSON.stringify(one.inputs[name])}, not ${JSON.stringify(other.inputs[name])}`;
}

function completePart<K extends keyof Results>(work: Work<K>, file: string): Part<K> | undefined {
  if (file === '-' || !existsSync(file)) return undefined;
  const part = readPart(file);
  const other = difference(part, work) ?? (part.shard === work.shard ? undefined : `shard ${part.shard}, not ${work.shard}`);
  if (other === undefined) return part as Part<K>;
  throw new Failure(EXIT_FAILED, `${file} has the report of other work: ${other}; delete it, or write to another file`);
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(EXIT_FAILED, `${file} is cut, or no report of a shard; delete it and run its shard again`, error);
  }
}

function isReport(value: unknown): value is Part {
  if (typeof value !== 'object' || value === null) return false;
  const { format, kind, shard, inputs } = value as Partial<Part>;
  return format === FORMAT && KINDS.includes(kind as string) && /^\d+\/\d+$/.test(String(shard)) && typeof inputs === 'object' && inputs !== null;
}

const KINDS = ['map', 'seeds'];

const digestOf = (content: Omit<Part, 'digest'>): string => sha256(JSON.stringify(content));

/** With the members of each object in alphabetical order, so equal inputs have equal text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]));
}
