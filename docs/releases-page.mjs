// The page releases.md: the table of Cloud Foundry's jobs by release.

import { readFileSync } from 'node:fs';

const TABLE = JSON.parse(readFileSync(new URL('../sim/src/check/question/presets.json', import.meta.url), 'utf8'));

export function releasesPage() {
  return `<!-- Made of sim/src/check/question/presets.json by \`make docs\`; do not edit. -->

# Releases

\`\`\`sh fails
npx locket-wasm explore --runner diego-bbs@2.102.0 --latency 1s --fault lost-message,1
\`\`\`

Cloud Foundry's jobs that keep something in Locket, by the version of their BOSH release. A runner
may be [named by such a job](../do/bosh.md). A version outside of all rows is refused: it is from
before Locket, from before the runner had a deadline, from between the last version that lacks a
change and the first that is known to have it, or newer than the table.

* *source*: a repository of the organisation \`cloudfoundry\`, its file, and the commit or tag.
* *date*: the day of the first version, or of a deployment with it.
* *assumed*: the change is certain, and its first version follows only from dates.
* *off*: values of a property with which the job keeps nothing in Locket.
* *set by*: properties that set a time. Those of \`rep\` are guesses: its spec was not at hand.

Until diego 2.138.0, Locket undoes the work of a call whose caller has given up (changed in
\`locket handlers/handler.go 1aa8a6e\`). A search counts such a call only as a lost message. In
diego before 2.71.0 and some other old releases, jobs may take a lock in Consul, too, which no
question covers.

${TABLE.map(section).join('\n')}
Next: [advice about a BOSH deployment](../do/bosh.md), or [production settings](settings.md).
`;
}

function section({ release, jobs, kind, rows }) {
  const lines = rows.map(({ from, to, date, source, assumed, runner, ttl, retryInterval, off, sets }) => {
    const range = `${from} to ${to}.x${assumed ? ' (assumed)' : ''}`;
    return `| ${[range, runner, timeOf(ttl, sets?.ttl), timeOf(retryInterval, sets?.retryInterval), switches(off), date, source].join(' | ')} |`;
  });
  return `## ${jobs.map((job) => `${release}-${job}`).join(', ')}

Keeps a ${kind}.

| versions | runner | TTL | retry interval | off | date | source |
|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

const timeOf = (time, properties) => (properties === undefined ? time : `${time}, set by ${properties.map((name) => `\`${name}\``).join(' or ')}`);
const switches = (off = {}) => Object.entries(off).map(([name, values]) => `\`${name}\`: ${values.map((it) => it || 'not set').join(', ')}`).join('; ');
