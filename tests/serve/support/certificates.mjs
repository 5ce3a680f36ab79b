// Certificates for tests, made by openssl when a test needs them; none is kept.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * An authority, a server's certificate for 127.0.0.1 and localhost and a client's: `files` and `pem` by name (`ca`,
 * `server`, `serverKey`, `client`, `clientKey`). `remove()` deletes them.
 */
export function makeCertificates() {
  const directory = mkdtempSync(join(tmpdir(), 'locket-certificates-'));
  const file = (name) => join(directory, name);
  const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const key = (name) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', file(`${name}.key`)];
  openssl('req', '-x509', ...key('ca'), '-out', file('ca.pem'), '-subj', '/CN=test authority', '-days', '2');
  for (const [name, extension] of [
    ['server', 'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth\n'],
    ['client', 'extendedKeyUsage=clientAuth\n'],
  ]) {
    writeFileSync(file(`${name}.ext`), extension);
    openssl('req', ...key(name), '-out', file(`${name}.csr`), '-subj', `/CN=${name}`);
    openssl('x509', '-req', '-in', file(`${name}.csr`), '-CA', file('ca.pem'), '-CAkey', file('ca.key'),
      '-CAcreateserial', '-out', file(`${name}.pem`), '-days', '2', '-extfile', file(`${name}.ext`));
  }
  const files = {
    ca: file('ca.pem'),
    server: file('server.pem'),
    serverKey: file('server.key'),
    client: file('client.pem'),
    clientKey: file('client.key'),
  };
  const pem = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, readFileSync(path)]));
  return { files, pem, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
