// gRPC-Web clients through a real Envoy, with the documented configuration and mutual TLS, to `serve`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

import { serve } from 'locket-wasm/serve';

import { makeCertificates } from './support/certificates.mjs';
import { connectWeb, protobufTs } from './support/clients.mjs';
import { findEnvoy, startEnvoy } from './support/envoy.mjs';
import { locketWasm } from './support/locket-wasm.mjs';
import { everyClient } from './support/every-client.mjs';
import { findChromium, inPage, servePage } from './support/page.mjs';
import { exchange, FETCH } from './support/raw.mjs';
import { runCli } from './support/serve-process.mjs';

const program = findEnvoy();

if (program === undefined) {
  it('through Envoy', { skip: 'there is no Envoy: .ci/setup envoy could not install it; set ENVOY to one' }, () => {});
} else {
  const certificates = makeCertificates();
  const { pem, files } = certificates;
  const tls = { cert: pem.server, key: pem.serverKey, ca: pem.ca };
  let serving, envoy, page;
  before(async () => {
    page = await servePage();
    serving = await serve({ port: 0, clock: 'virtual', profile: 'upstream', closeTimeout: '1s', tls });
    envoy = await startEnvoy(program, { port: serving.port, files, origin: page.origin });
  });
  after(async () => {
    await envoy?.end();
    await serving?.close();
    page?.close();
    certificates.remove();
  });

  // Envoy keeps the deadline too, and may be the first; they take its word for it.
  const options = { deadlineCodes: [4, 14] };
  everyClient('connect-web through Envoy', async () => ({ client: connectWeb(envoy.url), server: serving.server }), options);
  everyClient('protobuf-ts through Envoy', async () => ({ client: protobufTs(envoy.url), server: serving.server }), options);

  const ours = async () => ({ client: locketWasm(envoy.url), server: serving.server });
  everyClient('LocketClient through Envoy', ours, { cannot: 'no resource' });

  describe('doctor, through Envoy', () => {
    const origin = 'https://app.example.org';
    const doctorOf = async (more, ...args) => {
      const proxy = await startEnvoy(program, { port: serving.port, files: { ...files, ...more }, origin });
      const { stdout } = await runCli('doctor', '--url', proxy.url, ...args);
      await proxy.end();
      return stdout;
    };

    it('finds that a page may call', async () => {
      assert.match(await doctorOf({}, '--origin', origin), /✓ Locket answers over gRPC-Web\n✓ pages of https:\/\/app\.example\.org may call it\n/);
    });

    it('finds that Envoy does not reach Locket', async () => {
      const others = makeCertificates('other authority');
      assert.match(await doctorOf({ ca: others.files.ca }), /✗ a proxy answers, but does not reach Locket: .*TLS between them fails/);
      others.remove();
    });
  });

  describe("the lines of docs/do/envoy.md for a real Locket, through Envoy", () => {
    const recipe = readFileSync(new URL('../../docs/do/envoy.md', import.meta.url), 'utf8');
    const lines = recipe.match(/```js[^\n]*\n(import \{ LocketClient[^]*?)```/)[1];
    const at = (url, from = 'locket-wasm') =>
      lines.replace("'http://127.0.0.1:8080'", `'${url}'`).replace("from 'locket-wasm'", `from '${from}'`);

    it('take a lock from Node', async () => {
      serving.server.clock.advance('1h');
      const cwd = new URL('../..', import.meta.url);
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', at(envoy.url)], { cwd });
      assert.equal(stdout, 'held for 15 s\n');
    });

    const chromium = findChromium();
    const skip = chromium === undefined && 'there is no Chromium: set CHROME to one';
    it('take a lock from a page, and get a collision there', { skip }, async () => {
      serving.server.clock.advance('1h');
      const run = async (source) => {
        const said = [];
        console.log = (...words) => said.push(words.join(' '));
        await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
        return said;
      };
      const source = at(envoy.url, `${page.origin}/web.js`);
      assert.deepEqual(await inPage(chromium, page.origin, run, source), ['held for 15 s']);
      const rival = source.replace("'bbs-0'", "'bbs-1'");
      assert.deepEqual(await inPage(chromium, page.origin, run, rival), ['not held: lock-collision (AlreadyExists): another owner holds the key']);
    });
  });

  describe('a page of another origin, through Envoy', () => {
    it('may ask before it calls', async () => {
      const { answer } = await exchange(envoy.url, [
        `OPTIONS /models.Locket/Lock HTTP/1.1\r\nhost: locket\r\norigin: ${page.origin}\r\nconnection: close\r\n` +
          'access-control-request-method: POST\r\naccess-control-request-headers: content-type,uuid\r\n\r\n',
      ]);
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
      assert.ok(answer.includes(`access-control-allow-origin: ${page.origin}\r\n`));
      for (const header of ['content-type', 'grpc-timeout', 'uuid', 'x-grpc-web', 'x-user-agent']) {
        assert.match(answer, new RegExp(`access-control-allow-headers: .*\\b${header}\\b`));
      }
    });

    it('of an origin that is not allowed is not let in', async () => {
      const { answer } = await exchange(envoy.url, [
        'POST /models.Locket/Fetch HTTP/1.1\r\nhost: locket\r\norigin: https://elsewhere.test\r\nconnection: close\r\n' +
          `content-type: application/grpc-web+proto\r\ncontent-length: ${FETCH.length}\r\n\r\n`,
        FETCH,
      ]);
      assert.match(answer, /^HTTP\/1\.1 /);
      assert.doesNotMatch(answer, /access-control-allow-origin/);
    });
  });
}
