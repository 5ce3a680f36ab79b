// `locket-wasm doctor`: finds the problem of an endpoint, layer by layer.

import { type Command, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { durationMs } from '../node.js';
import { EXIT_FAILED, Failure, newCommand } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_HELP, endpointOf } from './connection.js';
import { diagnose } from './doctor/diagnose.js';
import type { Finding } from './doctor/finding.js';

type Options = Connection & { json?: true };

const DESCRIPTION = `Finds the problem of an endpoint: checks its name, its port, TLS and
certificates, HTTP/2, proxies, the service behind it, and its clock.`;

const EXAMPLES = `
It makes one Fetch of an unused key, and changes nothing. Exit code 0: Locket
answers. Exit code 1: it does not.

  locket-wasm doctor --url locket.service.cf.internal:8891 --ca-file ca.crt \\
    --cert-file client.crt --key-file client.key
`;

const MARKS: Record<Finding['verdict'], string> = { good: '✓', bad: '✗', note: '!' };

export function doctorCommand(): Command {
  return connecting(newCommand('doctor', 'find the problem of an endpoint'))
    .description(DESCRIPTION)
    .addOption(new Option('--json', 'print the findings as JSON'))
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(async (options: Options) => {
      const endpoint = endpointOf('doctor', options);
      const findings = await callLocket('doctor', options, (locket) => diagnose(endpoint, durationMs(options.timeout), locket));
      const lines = findings.map(({ verdict, what, advice }) => `${MARKS[verdict]} ${printable(what)}${advice === undefined ? '' : `\n  ${printable(advice)}`}\n`);
      process.stdout.write(options.json ? `${printableJson({ urls: endpoint.urls, protocol: endpoint.protocol, findings })}\n` : lines.join(''));
      if (findings.some(({ verdict }) => verdict === 'bad')) throw new Failure(EXIT_FAILED, `${endpoint.urls.join(', ')} does not answer as Locket does`);
    });
}
