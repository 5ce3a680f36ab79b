// The tables of the page releases.md: Cloud Foundry's jobs by release.

import { readFileSync } from 'node:fs';

const [TABLE, MORE] = ['presets', 'releases'].map((name) => JSON.parse(readFileSync(new URL(`../sim/src/check/question/${name}.json`, import.meta.url), 'utf8')));

export const releases = () => TABLE.map(section).join('\n\n');

function section({ release, jobs, kind, rows }) {
  const lines = rows.map(({ from, to, runner, ttl, retryInterval }) => {
    const { date, source, assumed, off, sets } = MORE[`${release}-${jobs[0]}@${from}`];
    const range = `${from} to ${to}.x${assumed ? ' (assumed)' : ''}`;
    return `| ${[range, runner, timeOf(ttl, sets?.ttl), timeOf(retryInterval, sets?.retryInterval), switches(off), date, source].join(' | ')} |`;
  });
  return `## ${jobs.map((job) => `${release}-${job}`).join(', ')}

Keeps a ${kind}.

| versions | runner | TTL | retry interval | off | date | source |
|---|---|---|---|---|---|---|
${lines.join('\n')}`;
}

const timeOf = (time, properties) => (properties === undefined ? time : `${time}, set by ${properties.map((name) => `\`${name}\``).join(' or ')}`);
const switches = (off = {}) => Object.entries(off).map(([name, values]) => `\`${name}\`: ${values.map((it) => (it === '' ? 'not set' : it)).join(', ')}`).join('; ');
