// Certificates for tests, made by openssl when a test needs them; none is kept.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SERVER = { names: 'IP:127.0.0.1,DNS:localhost', usage: 'serverAuth' };
const CLIENT = { usage: 'clientAuth' };

/**
 * An authority, a server's certificate for 127.0.0.1 and localhost and a client's: `files` and `pem` by name (`ca`,
 * `server`, `serverKey`, `client`, `clientKey`). `issue(name, kind)` makes another one of the same authority, with its own
 * `usage`, `names` and days of validity `from` and `until`, counted from now. `remove()` deletes all.
 */
export function makeCertificates(authority = 'test authority') {
  const directory = mkdtempSync(join(tmpdir(), 'locket-certificates-'));
  const file = (name) => join(directory, name);
  const openssl = (...args) => execFileSync('openssl', args, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  const key = (name) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', file(`${name}.key`)];
  openssl('req', '-x509', ...key('ca'), '-out', file('ca.pem'), '-subj', `/CN=${authority}`, '-days', '2');
  writeFileSync(file('index.txt'), '');
  writeFileSync(file('serial'), '1000\n');
  writeFileSync(file('ca.cnf'), CONFIGURATION);

  const issue = (name, { usage, names, from = -1, until = 2 }) => {
    const extensions = [usage === undefined ? '' : `extendedKeyUsage=${usage}`, names === undefined ? '' : `subjectAltName=${names}`];
    writeFileSync(file(`${name}.ext`), `${extensions.join('\n')}\n`);
    openssl('req', ...key(name), '-out', file(`${name}.csr`), '-subj', `/CN=${name}`);
    openssl('ca', '-batch', '-config', file('ca.cnf'), '-in', file(`${name}.csr`), '-out', file(`${name}.pem`), '-notext',
      '-startdate', timeAfter(from), '-enddate', timeAfter(until), '-extfile', file(`${name}.ext`));
    const files = { cert: file(`${name}.pem`), key: file(`${name}.key`) };
    return { files, pem: { cert: readFileSync(files.cert), key: readFileSync(files.key) } };
  };
  const [server, client] = [issue('server', SERVER), issue('client', CLIENT)];
  const files = { ca: file('ca.pem'), server: server.files.cert, serverKey: server.files.key, client: client.files.cert, clientKey: client.files.key };
  const pem = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, readFileSync(path)]));
  return { files, pem, issue, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

const CONFIGURATION = `[ca]
default_ca=it
[it]
database=index.txt
serial=serial
new_certs_dir=.
certificate=ca.pem
private_key=ca.key
default_md=sha256
policy=any
unique_subject=no
[any]
commonName=supplied
`;

/** So many days from now, as openssl reads it. */
function timeAfter(days) {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '')}`;
}
