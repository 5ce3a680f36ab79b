// What the page weighs beside the wasm module.

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../../../target/www/assets/', import.meta.url);

/** The page itself, with its first picture, and every script and style sheet: its name, its size in KiB as gzip has it, whether
 *  the first view loads it, and whether only the editor or the view of logs does. */
export function pageSizes() {
  const html = readFileSync(new URL('../index.html', ASSETS), 'utf8');
  const page = { name: 'index.html', text: html, kib: gzipSync(html, { level: 9 }).length / 1024, isFirst: true, isEditor: false, isLogs: false };
  return [page, ...readdirSync(ASSETS).filter((name) => /\.(css|js)$/.test(name)).map((name) => {
    const text = readFileSync(new URL(name, ASSETS), 'utf8');
    return { name, text, kib: gzipSync(text, { level: 9 }).length / 1024, isFirst: html.includes(name), isEditor: name.startsWith('editor-'), isLogs: /^(?:LogsView|diagnose|example-logs)-/.test(name) };
  })];
}

/** What all scripts and styles together may weigh, but for the editor and the view of logs: each brings a library of its own, when it is
 *  asked for. */
export const PAGE_MAX_KIB = 186;
export const commonSizes = (sizes) => sizes.filter(({ name, isEditor, isLogs }) => name !== 'index.html' && !isEditor && !isLogs);

export const total = (sizes) => sizes.reduce((sum, { kib }) => sum + kib, 0);
