// What axe finds in a tab, as sentences. The policy forbids inline scripts, so it is handed to the tab from outside.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function violations(page) {
  const session = await page.context().newCDPSession(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await session.send('Runtime.evaluate', { expression: AXE });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).join('; '))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(result.value);
}
