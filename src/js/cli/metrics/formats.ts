// Series as text for other programs: Prometheus, OpenMetrics and CSV.

import { printable } from '../../base/text.js';
import { grouped } from './grouped.js';
import { METRICS } from './catalogue.js';
import type { Series } from './series.js';

export const FORMATS = ['prometheus', 'openmetrics', 'csv'] as const;

/** @param epochMs the time of the run's start */
export function formatted(format: (typeof FORMATS)[number], series: readonly Series[], epochMs: number): string {
  if (format === 'csv') return csv(series, epochMs);
  // OpenMetrics has seconds, and an end.
  return format === 'openmetrics' ? `${exposition(series, (ms) => String((epochMs + ms) / 1000))}# EOF\n` : exposition(series, (ms) => String(epochMs + ms));
}

/** Locket sends all of them as gauges, also the totals. */
function exposition(series: readonly Series[], time: (ms: number) => string): string {
  const families = grouped(series, ({ metric }) => metric);
  return [...families].map(([metric, ofMetric]) => {
    const lines = ofMetric.flatMap(({ labels, samples }) => {
      const written = Object.entries(labels).map(([name, value]) => `${name}="${printable(value).replace(/[\\"]/g, '\\$&')}"`);
      return samples.map(([timeMs, value]) => `${metric}{${written.join(',')}} ${value} ${time(timeMs)}\n`);
    });
    return `# HELP ${metric} ${METRICS[metric].help}\n# TYPE ${metric} gauge\n${lines.join('')}`;
  }).join('');
}

function csv(series: readonly Series[], epochMs: number): string {
  const rows = series.flatMap(({ metric, labels: { process, key = '', request_type = '' }, samples }) =>
    samples.map(([timeMs, value]) => [String(epochMs + timeMs), metric, process, key, request_type, String(value)].map(cell).join(',')),
  );
  return `${['time_ms,metric,process,key,request_type,value', ...rows].join('\n')}\n`;
}

/** A quoted cell; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = printable(/^[=+@-]/.test(text) && !/^-\d/.test(text) ? `'${text}` : text);
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
