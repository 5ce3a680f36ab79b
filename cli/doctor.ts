// `locket-wasm doctor`: finds the problem of an endpoint, layer by layer.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationMs } from 'locket-wasm';

import { EXIT_FAILED, Failure, newCommand } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_FIELDS, CONNECTION_HELP, endpointOf } from './connection.js';
import { diagnose } from './doctor/diagnose.js';
import type { EndpointFinding } from './doctor/finding.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';

type Options = Connection & { origin?: string };

const DESCRIPTION = `Finds the problem of an endpoint: checks its name, its port, TLS and
certificates, HTTP/2, proxies, the service behind it, its clock, and CORS.`;

const EXAMPLES = `
It fetches unused keys, and changes nothing. Exit code 0: Locket answers. Exit
code 1: it does not, or not to the page of --origin; without one, to the pages
that it allows itself.

  locket-wasm doctor --url locket.service.cf.internal:8891 --ca-file ca.crt \\
    --cert-file client.crt --key-file client.key
  locket-wasm doctor --url https://proxy.example.org \\
    --origin https://app.example.org
`;

const MARKS: Record<EndpointFinding['verdict'], string> = { good: '✓', bad: '✗', note: '!' };

export function doctorCommand(): Command {
  return connecting(newCommand('doctor', 'find the problem of an endpoint'))
    .description(DESCRIPTION)
    .addOption(new Option('--origin <origin>', 'also check that pages of this origin may call').argParser(originOf))
    .addOption(new Option('--json', 'print the findings as JSON'))
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(reporting(examine, CONNECTION_FIELDS));
}

async function examine({ origin, ...connection }: Options): Promise<Report> {
  const endpoint = endpointOf('doctor', connection);
  const patient = { ...endpoint, origin };
  const findings = await callLocket('doctor', connection, (locket, protocol) => diagnose(patient, durationMs(connection.timeout), locket, protocol));
  const problem = findings.find(({ verdict }) => verdict === 'bad');
  return {
    text: () => findings.flatMap(({ verdict, what, advice }) => [`${MARKS[verdict]} ${what}`, ...(advice === undefined ? [] : [`  ${advice}`])]),
    json: [{ urls: endpoint.urls, protocol: endpoint.protocol ?? null, findings }],
    failure: problem && new Failure(EXIT_FAILED, `problem found: ${problem.what}`),
  };
}

function originOf(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new InvalidArgumentError('Expected an origin, such as https://app.example.org.');
}
