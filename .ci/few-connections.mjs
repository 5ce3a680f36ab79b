// Runs a command whose headless Chromium loads its pages over few connections.
//
//   node .ci/few-connections.mjs COMMAND...
//
// The server of wasm-bindgen's test runner (tiny_http 0.12) starts with four threads, one for each open connection. Of two
// connections that come at the same moment, the second may be put down to a thread that has already taken the first; it is
// answered when some other connection closes, which is never. A page of a dozen modules makes Chromium open six at once,
// and so now and then, on a busy machine every other time, the page never loads. Through this proxy they are three.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest } from 'node:http';

const CONNECTIONS_MAX = 3;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });

const proxy = createServer((request, response) => {
  const { method, headers, url } = request;
  const onward = httpRequest(url, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.statusMessage, answer.headers);
    answer.pipe(response);
  });
  // No answer is passed on as no answer.
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
});

proxy.listen(0, '127.0.0.1', () => {
  const [program, ...args] = process.argv.slice(2);
  const env = { ...process.env, WASM_BINDGEN_TEST_WEBDRIVER_JSON: writeCapabilities(proxy.address().port) };
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`few-connections: ${program}: ${error.message}`);
    process.exit(127);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
});

/** webdriver.json with the proxy and, if $CHROME names one, another browser: wasm-pack does not look at that. */
function writeCapabilities(port) {
  const capabilities = JSON.parse(readFileSync('webdriver.json', 'utf8'));
  const options = capabilities['goog:chromeOptions'];
  options.args.push(`--proxy-server=127.0.0.1:${port}`, '--proxy-bypass-list=<-loopback>');
  if (process.env.CHROME) options.binary = execFileSync('sh', ['-c', 'command -v "$CHROME"'], { encoding: 'utf8' }).trim();
  mkdirSync('target', { recursive: true });
  writeFileSync('target/webdriver.json', JSON.stringify(capabilities));
  return `${process.cwd()}/target/webdriver.json`;
}
