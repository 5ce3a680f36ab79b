// The page releases.md: the table of facts about Cloud Foundry's jobs, by release.

import { boshFacts } from 'locket-wasm/check';

export function releasesPage() {
  const jobs = boshFacts().jobs;
  return `<!-- Made of the table in sim/src/check/bosh/ by \`make docs\`; do not edit. -->

# Releases

\`\`\`sh fails
npx locket-wasm advise --job bbs --release 2.123.0 --latency 1s --fault lost-message,1
\`\`\`

The facts about Cloud Foundry's jobs that keep something in Locket, by the version of their BOSH
release. [\`advise --manifest\`](../do/bosh.md) judges a job by the row of its version: the last one
that is not later. Before its first row a job keeps nothing in Locket.

* *date*: the day of that version, or of a deployment with it.
* *source*: a repository of the organisation \`cloudfoundry\`, its file, and the commit or tag.
* *assumed*: the change is certain, and its first version follows only from dates.
* *not known*: no version between the last one without a change and the first one with it is judged.

${jobs.map(section).join('\n')}
Next: [advice about a BOSH deployment](../do/bosh.md), or [production settings](settings.md).
`;
}

function section({ job, release, kind, properties, rows }) {
  const lines = rows.map(({ since, date, source, isAssumed, runner, ttlMs, retryIntervalMs, unknown }) => {
    const facts = unknown === null ? [runner, seconds(ttlMs), seconds(retryIntervalMs)] : [`not known: ${unknown}`, '', ''];
    return `| ${[`${since}${isAssumed ? ' (assumed)' : ''}`, date, ...facts, source].join(' | ')} |`;
  });
  const read = properties.length === 0 ? 'None.' : `${properties.map((name) => `\`${name}\``).join(', ')}.`;
  return `## ${job}

Release \`${release}\`, keeps a ${kind}. Properties that some version reads: ${read}

| since | date | runner | TTL | retry interval | source |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

const seconds = (ms) => `${ms / 1_000} s`;
