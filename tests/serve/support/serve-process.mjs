// `locket-wasm serve` as a process of its own, as its users have it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../pkg/dist/cli.js', import.meta.url));
const running = new Set();

// Whatever becomes of the tests, nothing of theirs goes on running.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts it with `--json` and waits until it is ready: `{ url, urls, controlUrl, end }`. */
export async function startServe(...args) {
  const child = spawn(process.execPath, [CLI, 'serve', '--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'close').then(([code]) => Promise.reject(new Error(`serve ended with ${code} before it was ready`))),
  ]);
  /** Sends a signal and waits for the end; gives the exit code, or the signal's name. */
  const end = async (signal = 'SIGTERM') => {
    const closed = once(child, 'close');
    child.kill(signal);
    const [code, name] = await closed;
    return code ?? name;
  };
  return { ...JSON.parse(line), end };
}

/** Runs the command line to its end: `{ code, stdout, stderr }`. */
export async function runCli(...args) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 10_000 });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** Asks a control endpoint; a body makes it a POST. Gives `{ status, answer }`. */
export async function control(url, path, body, headers = {}) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url + path, { ...init, headers });
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, answer: isJson ? await response.json() : await response.text() };
}
