// Links of a simulation in few characters.
//
// A link of the rules, `l1.`, holds the scenario's text as it is. The same link as `l2.` is `l2.STORY.DATA`: the data is
// compressed against the text of a known story, of which most scenarios are changes, or against words that all
// scenarios share if STORY is empty. Knows nothing of what a link means.

// Compresses with a dictionary and at once: what platforms have can only one of the two, or lets its caller wait.
import { deflateSync, Inflate } from 'fflate';

import { LocketArgumentError } from '../base/errors.js';
import { WORDS } from './link-words.js';
import type { ScenarioAct } from './scenario-value.js';

/** Texts of scenarios by name; `locket-wasm/stories` has the shipped ones. */
export type Stories = Readonly<Record<string, string>>;

const LONG = 'l1.';
const SHORT = 'l2.';
/** The longest text of a link, in bytes; the rules have the same limit. */
const SIZE_MAX = 3 << 20;
/** How much is decompressed at once: what it holds is at most a thousand times as long. */
const STEP = 1024;
const CHECK_SIZE = 4;

/** The shortest form of a link. */
export function shorten(link: string, scenarioName: string, stories: Stories): string {
  const content = fromBase64(link.slice(LONG.length));
  const story = namesOf(stories).get(scenarioName);
  const dictionary = dictionaryOf(story === undefined ? WORDS : (stories[story] ?? ''));
  const compressed = deflateSync(content, { level: 9, dictionary });
  const data = new Uint8Array(CHECK_SIZE + compressed.length);
  new DataView(data.buffer).setUint32(0, checksum(content));
  data.set(compressed, CHECK_SIZE);
  return `${SHORT}${story ?? ''}.${toBase64(data)}`;
}

/** The link in the rules' form; another link stays as it is. */
export function lengthen(link: string, stories: Stories): string {
  if (!/^\s*l\d/.test(link)) throw broken(`expected a text that begins with ${SHORT}`);
  const [, story, encoded] = /^\s*l2\.([\w-]*)\.([\w-]*)\s*$/.exec(link) ?? [];
  if (story === undefined || encoded === undefined) {
    if (link.trimStart().startsWith(SHORT)) throw broken('it was changed, or is not complete');
    return link;
  }
  if (story !== '' && !Object.hasOwn(stories, story)) {
    throw broken(`it needs the story ${story}; pass \`stories\` with its text, for example those of locket-wasm/stories`);
  }
  const content = contentOf(encoded, dictionaryOf(story === '' ? WORDS : (stories[story] ?? '')));
  if (content !== undefined) return LONG + toBase64(content);
  throw broken(story === '' ? 'it was changed, or is not complete' : `it was changed, or it was made from another story ${story}`);
}

/** An action from outside, in the form of a link. */
export interface LinkAct {
  at: string;
  count: number;
  /** An action, as scenarios have it. */
  act: ScenarioAct & { at?: string };
}

/** The actions in the first line of a link. */
export function actsIn(link: string): LinkAct[] {
  const [header = ''] = new TextDecoder().decode(fromBase64(link.slice(LONG.length))).split('\n', 1);
  return (JSON.parse(header) as { acts?: LinkAct[] }).acts ?? [];
}

function contentOf(encoded: string, dictionary: Uint8Array): Uint8Array | undefined {
  try {
    const data = fromBase64(encoded);
    const check = new DataView(data.buffer).getUint32(0);
    const content = inflate(data.subarray(CHECK_SIZE), dictionary);
    return checksum(content) === check ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Stops when the content exceeds the longest link: a hostile link could fill the memory. */
function inflate(data: Uint8Array, dictionary: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate({ dictionary }, (chunk) => {
    size += chunk.length;
    if (size > SIZE_MAX) throw broken('it is too long');
    chunks.push(chunk);
  });
  for (let at = 0; at < data.length; at += STEP) stream.push(data.subarray(at, at + STEP), at + STEP >= data.length);
  const content = new Uint8Array(size);
  for (const chunk of chunks.reverse()) content.set(chunk, (size -= chunk.length));
  return content;
}

/** The stories by the name that their text gives them. */
function namesOf(stories: Stories): Map<unknown, string> {
  const known = names.get(stories);
  if (known !== undefined) return known;
  const found = new Map<unknown, string>();
  for (const [story, text] of Object.entries(stories)) if (/^[\w-]+$/.test(story)) found.set(nameIn(text), story);
  names.set(stories, found);
  return found;
}

const names = new WeakMap<Stories, Map<unknown, string>>();

function nameIn(story: string): unknown {
  try {
    return (JSON.parse(story) as { name?: unknown }).name;
  } catch {
    return undefined;
  }
}

/** A text as links hold it, without blanks; of a long one its end, since deflate looks back no farther. */
function dictionaryOf(text: string): Uint8Array {
  return new TextEncoder().encode(compact(text)).slice(-32_768);
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/** FNV-1a: tells content that was decompressed with another dictionary. */
function checksum(content: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (const byte of content) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function broken(message: string): LocketArgumentError {
  return new LocketArgumentError('link', message);
}
