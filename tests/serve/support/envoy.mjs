// A real Envoy with the documented configuration, in front of a given server.

import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const INSTALLED = fileURLToPath(new URL('../../../.tools/envoy/envoy/_bin/envoy', import.meta.url));
const CONFIGURATION = new URL('../../envoy/envoy.yaml', import.meta.url);

/** The program, or `undefined` where there is none. ENVOY overrides what `.ci/setup envoy` installed. */
export function findEnvoy() {
  const program = process.env.ENVOY ?? INSTALLED;
  try {
    accessSync(program, constants.X_OK);
    return program;
  } catch {
    return undefined;
  }
}

/** Starts it in front of `https://127.0.0.1:port` for pages of `origin`: `{ url, end }`. */
export async function startEnvoy(program, { port, files, origin }) {
  const directory = mkdtempSync(join(tmpdir(), 'locket-envoy-'));
  const configuration = join(directory, 'envoy.yaml');
  const admin = join(directory, 'admin');
  writeFileSync(configuration, configured({ port, files, origin }));
  const anyPort = '{admin: {address: {socket_address: {address: 127.0.0.1, port_value: 0}}}}';
  const args = ['-c', configuration, '--config-yaml', anyPort, '--admin-address-path', admin, '--use-dynamic-base-id'];
  const child = spawn(program, [...args, '--concurrency', '1', '--log-level', 'error'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const end = async () => {
    const closed = new Promise((resolve) => child.once('close', resolve));
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await closed;
    }
    process.off('exit', killed);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return { url: await listening(child, admin), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The documented file with this test's addresses; each of its own must be in there. */
function configured({ port, files, origin }) {
  let text = readFileSync(CONFIGURATION, 'utf8');
  for (const [documented, tried] of [
    ['port_value: 8080', 'port_value: 0'],
    ['exact: https://app.example.org', `exact: ${origin}`],
    ['address: locket.service.cf.internal, port_value: 8891', `address: 127.0.0.1, port_value: ${port}`],
    ['sni: locket.service.cf.internal', 'sni: localhost'],
    ['exact: locket.service.cf.internal', 'exact: localhost'],
    ['/etc/locket/client.crt', files.client],
    ['/etc/locket/client.key', files.clientKey],
    ['/etc/locket/ca.crt', files.ca],
  ]) {
    if (text.split(documented).length !== 2) throw new Error(`envoy.yaml should have once: ${documented}`);
    text = text.replace(documented, tried);
  }
  return text;
}

/** Its address, which only its admin endpoint knows. */
async function listening(child, adminFile) {
  const until = performance.now() + 30_000;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`envoy ended with ${child.exitCode}`);
    if (existsSync(adminFile)) {
      const listeners = await fetch(`http://${readFileSync(adminFile, 'utf8')}/listeners`).then((it) => it.text(), () => '');
      const [, address] = /^grpc_web::(.*)$/m.exec(listeners) ?? [];
      if (address !== undefined) return `http://${address}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('envoy does not listen after 30 s');
}
