// Runs the blocks of a page as its reader would: in one folder, one after another.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { transformSync } from 'esbuild';
import { runScenario } from 'locket-wasm';

import { makeCertificates } from '../serve/support/certificates.mjs';
import { startRealPort } from '../serve/support/real-port.mjs';
import { expectedOutput } from './blocks.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const tool = (path) => join(ROOT, 'node_modules', path);
const RUNNERS = {
  vitest: (file) => [tool('vitest/vitest.mjs'), 'run', '--root', '.', file],
  jest: (file) => [tool('jest/bin/jest.js'), '--rootDir', '.', file],
  'node-test': (file) => ['--test', '--test-reporter=spec', file],
};
/** Ports that pages name, of which others may be using some. */
const PORTS = ['8891', '8892', '8080'];
/** What a block leaves running would keep its output open, and the test waiting. */
const END_JOBS = 'trap \'kill $(jobs -p) 2>/dev/null || true\' EXIT\n';

export class Page {
  #output = '';
  #files = 0;
  #typed = [];

  /** In a folder inside of the workspace, with the package installed as npm does it. */
  static async open() {
    const page = new Page();
    mkdirSync(join(ROOT, 'target'), { recursive: true });
    page.folder = mkdtempSync(join(ROOT, 'target/docs-'));
    mkdirSync(join(page.folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(ROOT, 'pkg'), join(page.folder, 'node_modules/locket-wasm'));
    symlinkSync(join(ROOT, 'pkg/dist/cli.js'), join(page.folder, 'node_modules/.bin/locket-wasm'));
    // npx takes twice as long to find the command as most of them to run.
    writeFileSync(join(page.folder, 'node_modules/.bin/npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    writeFileSync(join(page.folder, 'package.json'), '{ "private": true }\n');
    page.ports = await Promise.all(PORTS.map(freePort));
    return page;
  }

  close() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async run(block) {
    const { language, words, file, text } = block;
    const runner = Object.keys(RUNNERS).find((name) => words.includes(name));
    if (words.includes('on-a-diego-vm')) return this.#onDiegoVm(block);
    const here = PORTS.reduce((all, port, index) => all.replaceAll(port, this.ports[index]), text);
    if (language === 'sh') return words.includes('serves') ? this.#serve(here) : this.#execute('bash', ['-euo', 'pipefail', '-c', END_JOBS + here], block);
    if (language === 'json') return this.#json(file, text);
    if (language === 'yaml') return writeFileSync(join(this.folder, file), text);
    if (language === 'text') return this.#text(block);
    assert.ok(['js', 'ts'].includes(language), `line ${block.line}: nobody runs ${language || 'a block without a language'}`);
    const name = file ?? `block-${(this.#files += 1)}.${language === 'ts' ? 'mts' : 'mjs'}`;
    writeFileSync(join(this.folder, name), here);
    if (language === 'ts') this.#typed.push(name);
    if (runner !== undefined) return this.#execute(process.execPath, RUNNERS[runner](name), block);
    // It runs with whoever imports it.
    if (file !== undefined) return undefined;
    await this.#execute(process.execPath, [this.#plain(name, here)], block);
    inOrder(expectedOutput(text), this.#output);
  }

  /** TypeScript's opinion of all blocks in it. */
  async checkTypes() {
    if (this.#typed.length === 0) return;
    const options = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'], types: ['node'] };
    const compilerOptions = { ...options, typeRoots: [tool('@types')], strict: true, noEmit: true, allowImportingTsExtensions: true };
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: this.#typed }));
    await this.#execute(process.execPath, [tool('typescript/bin/tsc'), '-p', '.'], { words: [] });
  }

  /** The name of the JavaScript of a file. */
  #plain(name, text) {
    if (!name.endsWith('.mts')) return name;
    const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node20' });
    const plain = name.replace(/mts$/, 'mjs');
    writeFileSync(join(this.folder, plain), code);
    return plain;
  }

  #json(file, text) {
    const value = JSON.parse(text);
    if (file !== undefined) writeFileSync(join(this.folder, file), text);
    if (value.clients !== undefined) assert.deepEqual(runScenario(text).failures, []);
  }

  async #text({ words, command, line, text }) {
    if (command !== undefined) await this.#execute('bash', ['-c', command], { words, line }, ROOT);
    if (command !== undefined || words.includes('output')) inOrder(text.split('\n').filter((line) => line.trim() !== ''), this.#output);
  }

  /** Where Locket's own port can be reached: HTTP/2 only, and mutual TLS. */
  async #onDiegoVm(block) {
    const { files, pem, remove } = makeCertificates();
    const names = { ca: 'ca.crt', client: 'client.crt', clientKey: 'client.key' };
    for (const [name, file] of Object.entries(names)) cpSync(files[name], join(this.folder, file));
    remove();
    const locket = await startRealPort({ ca: pem.ca, cert: pem.server, key: pem.serverKey });
    const address = `localhost:${locket.port}`;
    await locket.server.client().lock({ key: 'bbs', owner: 'bbs-0', ttl: '1h' });
    const variables = { LOCKET_API_LOCATION: address, CA_CERT_FILE: 'ca.crt', CLIENT_CERT_FILE: 'client.crt', CLIENT_KEY_FILE: 'client.key' };
    try {
      await this.#execute('bash', ['-euo', 'pipefail', '-c', block.text.replaceAll('locket.service.cf.internal:8891', address)], block, this.folder, variables);
    } finally {
      await locket.close();
    }
  }

  async #execute(program, args, { words, line }, cwd = this.folder, variables = {}) {
    const { status, output } = await new Promise((resolve) => {
      execFile(program, args, { cwd, env: { ...this.#environment(), ...variables }, timeout: 120_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
        resolve({ status: error?.code ?? 0, output: stripVTControlCharacters(stdout + stderr) });
      });
    });
    this.#output = output;
    assert.equal(status !== 0, words.includes('fails'), `line ${line} ended with ${status}:\n${output}`);
  }

  /** With the certificates that pages speak of. */
  async #serve(text) {
    const { files, remove } = makeCertificates();
    const names = { ca: 'ca.crt', server: 'server.crt', serverKey: 'server.key' };
    for (const [name, file] of Object.entries(names)) cpSync(files[name], join(this.folder, file));
    remove();
    const child = spawn('bash', ['-c', `exec ${text.replace(/^npx /, '')}`], { cwd: this.folder, env: this.#environment() });
    const closed = once(child, 'close');
    const [said] = await Promise.race([once(child.stdout, 'data'), closed.then(([code]) => assert.fail(`it ended with ${code}`))]);
    assert.match(String(said), /listening on/);
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
  }

  #environment() {
    const bin = join(this.folder, 'node_modules/.bin');
    // What a test runner hands to its own tests would be taken for theirs.
    return { ...process.env, PATH: `${bin}:${process.env.PATH}`, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: undefined, npm_config_offline: 'true' };
  }
}

/** That lines are in a text, one after another; … stands for anything. */
function inOrder(lines, text) {
  let rest = text;
  for (const line of lines) {
    const pattern = line.trim().split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ +/g, ' +')).join('.*');
    const found = rest.match(new RegExp(pattern));
    assert.ok(found !== null, `not printed, or not in this order: ${line}\n${text}`);
    rest = rest.slice(found.index + found[0].length);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return String(port);
}
