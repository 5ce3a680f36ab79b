// `locket-wasm metrics`: the metrics that the processes of a run would have sent, and the alerts that
// would have fired.

import { type Command, InvalidArgumentError, Option } from 'commander';

import { number, numberTo, printableJson } from '../base/text.js';
import { durationMs, Simulation } from '../node.js';
import { EXIT_USAGE, Failure, milliseconds, newCommand, wholeNumber, withSteps } from './command.js';
import { EXPIRY_INTERVAL_MS, METRICS, METRIC_NAMES, REPORT_INTERVAL } from './metrics/catalogue.js';
import { FORMATS, formatted } from './metrics/formats.js';
import { historyOf } from './metrics/history.js';
import { firstFault, reportOf } from './metrics/report.js';
import { addRule, GRAMMAR, type Rule } from './metrics/rules.js';
import { screen } from './metrics/screen.js';
import { sampleCount, seriesOf } from './metrics/series.js';
import { SCENARIO_HELP, withScenario } from './scenario-file.js';
import { runFacts } from './summary/run-facts.js';
import { paintFor } from './terminal.js';

const DESCRIPTION = `Runs a scenario and prints which alerts would have fired, when, and how long
after the first fault. Or it prints the metrics themselves, by the names of
Locket, the BBS and the auctioneer: as samples that each process sends once a
report interval, counted from its own start.

A sample shows one moment, so the answer depends on when each process was
started. "In 100 phases" moves their samples by random times, and says in how
many of them the alert fires, and how long after the first fault or violation.
Before that, all values count as constant.`;

const EXAMPLES = `
Metrics:

${METRIC_NAMES.map((name) => `  ${name.padEnd(19)}${METRICS[name].help}\n`).join('')}
A rule is ${GRAMMAR}.
Comparisons: < <= > >= == !=. LockHeld is the sum over the clients of a key.
ActiveLocks, ActivePresences and RequestLatencyMax are maxima over the Locket
processes, the others sums. A total, such as LocksExpired, counts by its
increase between two samples. A sample counts for one interval.

Which alerts show two owners?

  locket-wasm metrics incident-vm-suspended

Alerts of your own:

  locket-wasm metrics incident-vm-suspended \\
    --alert 'LockHeld > 1 for 1m' --alert 'ActiveLocks != 1 for 5m'

Samples for a spreadsheet, and for Prometheus:

  locket-wasm metrics holder-crashes --format csv > metrics.csv
  locket-wasm metrics holder-crashes --format openmetrics \\
    --epoch 2026-01-31T12:00:00Z > metrics.txt
  promtool tsdb create-blocks-from openmetrics metrics.txt
`;

interface Options {
  alert?: Rule[];
  interval: number;
  lookback?: number;
  until?: number;
  phases: number;
  format?: (typeof FORMATS)[number];
  epoch: number;
  json?: true;
  maxSteps?: number;
}

export function metricsCommand(): Command {
  return withSteps(newCommand('metrics', 'print the metrics of a run, and which alerts fire'))
    .description(DESCRIPTION)
    .argument('<scenario>', SCENARIO_HELP)
    .option('-a, --alert <rule>', 'a rule; can be given several times', addRule)
    .addOption(new Option('--interval <duration>', 'the report interval of all processes').argParser(positive).default(durationMs(REPORT_INTERVAL), REPORT_INTERVAL))
    .option('--lookback <duration>', 'how long a sample counts if no newer one comes; one interval by default, 5m in Prometheus', positive)
    .option('--until <duration>', 'the end of the run; by default after the time that the rules need', positive)
    .addOption(new Option('--phases <count>', 'try so many random moments for the samples of each process').argParser(wholeNumber).default(100))
    .addOption(new Option('-f, --format <format>', 'print samples instead of alerts').choices([...FORMATS]))
    .addOption(new Option('--epoch <time>', 'the start of the run, as a date or in milliseconds, for --format').argParser(epoch).default(0))
    .option('--json', 'print the alerts and signals as JSON')
    .addHelpText('after', EXAMPLES)
    .action(metrics);
}

/** The most samples of a run; they take some seconds. */
const SAMPLES_MAX = 1_000_000;
/** The most samples of all phases. */
const PHASE_SAMPLES_MAX = 3_000_000;
/** The longest duration of a usual rule. */
const USUAL_MS = 900_000;

function metrics(file: string, { alert: rules = [], interval: intervalMs, lookback: lookbackMs, until, phases, format, epoch: epochMs, json, ...steps }: Options): void {
  if (format !== undefined && json) throw new Failure(EXIT_USAGE, '--format and --json exclude each other: --format prints samples, --json the alerts; leave out one of them');
  if (format !== undefined && rules.length > 0) throw new Failure(EXIT_USAGE, '--format prints samples, and no alerts; leave out --format or --alert');
  const written = withScenario(file, (text) => {
    using simulation = new Simulation(text, steps);
    const lastsMs = rules.length === 0 ? USUAL_MS : Math.max(...rules.map(({ forMs }) => forMs));
    const scenarioEndMs = simulation.endMs;
    const endMs = until ?? scenarioEndMs + (format === undefined ? lastsMs + 2 * intervalMs : 0);
    if (endMs > scenarioEndMs) simulation.runUntil(`${endMs}ms`);
    const facts = runFacts(simulation);
    const history = historyOf(simulation, endMs);
    const samples = sampleCount(history, Math.min(intervalMs, EXPIRY_INTERVAL_MS));
    if (samples > SAMPLES_MAX) throw new Failure(EXIT_USAGE, `the run has about ${numberTo(0, samples)} samples, more than ${number(SAMPLES_MAX)}; raise --interval, or end the run earlier with --until`);
    if (format !== undefined) return formatted(format, seriesOf(history, { intervalMs }), epochMs);
    const report = reportOf({ facts, history, scenarioEndMs, fault: firstFault(facts.scenario), intervalMs, lookbackMs, rules, phases: Math.min(phases, Math.floor(PHASE_SAMPLES_MAX / samples)) });
    return json ? `${printableJson(report)}\n` : screen(report, paintFor(process.stdout));
  });
  process.stdout.write(written);
}

function positive(value: string): number {
  const ms = milliseconds(value);
  if (ms < 1) throw new InvalidArgumentError('Expected at least 1ms.');
  return ms;
}

function epoch(value: string): number {
  const ms = /^\d{1,15}$/.test(value) ? Number(value) : Date.parse(value);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Expected a date such as 2026-01-31T12:00:00Z, or milliseconds.');
  return ms;
}
