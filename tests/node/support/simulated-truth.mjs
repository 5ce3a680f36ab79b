// What a diagnosis says of a simulated run, against what happened in it.

/** Lines are written up to 0.2 ms late, and clocks that drift are off by this much in the end. */
const SLACK_MS = 120;

/** The statements that are wrong, and how many of the others were right. */
export function judged(diagnosis, run, clocks) {
  const reference = clocks.get(diagnosis.reference) ?? { readings: (ms) => [1_795_316_221_000 + ms] };
  const isAt = ({ earliestMs, latestMs }, ms) => reference.readings(ms).some((at) => (earliestMs ?? -Infinity) <= at + SLACK_MS && (latestMs ?? Infinity) >= at - SLACK_MS);
  const fits = (finding) => TRUTH[finding.kind]?.(run, finding).some(({ fromMs, toMs }) => isAt(finding.from, fromMs) && (finding.isOpen || isAt(finding.to, toMs)));
  const checked = diagnosis.findings.flatMap((finding) => {
    const said = isBeyond(finding, run) ? undefined : fits(finding);
    return [
      ...(said === undefined || finding.certainty === 'possible' ? [] : [{ what: finding.kind, certainty: finding.certainty, isRight: said, finding }]),
      ...causeOf(finding, run, reference),
    ];
  });
  return checked;
}

/** Only their own logs tell two programs with one owner name apart. */
const isBeyond = ({ kind }, { scenario }) => kind === 'nobody-holding' && new Set(scenario.clients.map(({ owner }) => owner)).size < scenario.clients.length;

const UNTIL_MS = 120_000;

/** The times in which none of some spans is. */
function gaps(spans) {
  const sorted = [...spans].sort((a, b) => a.fromMs - b.fromMs);
  const found = [];
  let endMs;
  for (const { fromMs, toMs } of sorted) {
    if (endMs !== undefined && fromMs > endMs) found.push({ fromMs: endMs, toMs: fromMs });
    endMs = Math.max(endMs ?? 0, toMs ?? UNTIL_MS);
  }
  return endMs !== undefined && endMs < UNTIL_MS ? [...found, { fromMs: endMs, toMs: UNTIL_MS }] : found;
}

/** The clients that a finding means: by their files, or by their owner where those are missing. */
const isOf = ({ processes, owners }, { name, owner }) => processes.includes(name) || (processes.some((one) => one.startsWith('owner ')) && owners.includes(owner));

function overlaps({ beliefs, scenario }, finding) {
  const own = beliefs.filter(({ client }) => isOf(finding, scenario.clients.find(({ name }) => name === client)));
  return own.flatMap((a) => own.filter((b) => b.client > a.client).map((b) => ({ fromMs: Math.max(a.fromMs, b.fromMs), toMs: Math.min(a.toMs, b.toMs) }))).filter(({ fromMs, toMs }) => toMs > fromMs);
}

const moments = (events) => events.map(({ timeMs }) => ({ fromMs: timeMs, toMs: timeMs }));
const lossesOf = ({ events }, { processes }) => moments(events.filter(({ runner, who }) => runner === 'lost' && processes.includes(who)));

const TRUTH = {
  'two-owners': overlaps,
  'nobody-holding': ({ beliefs }) => gaps(beliefs),
  'no-row': ({ holders }) => gaps(holders),
  expired: ({ events }, { owners: [owner] }) => moments(events.filter(({ kind, words }) => kind === 'expired' && words.includes(`: ${owner} has not`))),
  'lost-by-collision': lossesOf,
  'lost-by-timeout': lossesOf,
  'lost-by-error': lossesOf,
  'unaware-owner': unaware,
  'holder-without-row': ({ holders }) => gaps(holders),
  'locket-frozen': ({ events }) => downs(events, events.map(({ who }) => who).filter((who) => who.startsWith('locket')), 'paused'),
  // What the lines show is the first and the last call that failed, and not that it was down between them.
  'database-outage': ({ events }) => downs(events, ['database'], 'crashed').flatMap(({ fromMs }, index, all) => all.slice(index).map(({ toMs }) => ({ fromMs, toMs }))),
  'row-deleted': ({ scenario, holders }) => deletions(scenario, holders),
  'locket-crash': ({ events }, { processes }) => downs(events, processes, 'crashed'),
  'locket-restart': ({ events }, { processes }) => downs(events, processes, 'stopped'),
};

/** From when a client's row was there until it learned of it, or the row ended. */
function unaware({ events, beliefs }, { processes, owners: [owner] }) {
  const ends = [...beliefs.filter(({ client }) => processes.includes(client)).map(({ fromMs }) => fromMs), ...moments(events.filter(({ kind }) => kind === 'row-deleted')).map(({ toMs }) => toMs), UNTIL_MS];
  return events.filter(({ kind, row }) => kind === 'row-written' && row.owner === owner && row.modified_index === 1).map(({ timeMs }) => ({ fromMs: timeMs, toMs: Math.min(...ends.filter((ms) => ms > timeMs)) }));
}

const deletions = ({ actions }, holders) => actions.filter(({ do: act }) => act === 'delete-row').map(({ at }) => Number.parseInt(at, 10)).filter((ms) => holders.some(({ toMs }) => toMs === ms)).map((ms) => ({ fromMs: ms, toMs: ms }));

function downs(events, processes, kind) {
  return events.filter((event) => event.kind === kind && processes.includes(event.who)).map(({ who, timeMs, id }) => ({ fromMs: timeMs, toMs: events.find((event) => event.id > id && event.who === who && (event.kind === 'started' || event.kind === 'resumed'))?.timeMs ?? UNTIL_MS }));
}

/** The events that a cause is. */
const CAUSES = {
  'holder-frozen': ({ kind, who }, { processes }) => kind === 'paused' && (processes.length === 0 || processes.includes(who)),
  'holder-vanished': ({ kind, who }) => (kind === 'crashed' || kind === 'paused') && who.startsWith('bbs'),
  'planned-stop': ({ kind, runner }) => runner === 'signalled' || kind === 'stopped',
  'locket-crash': ({ kind, who }) => kind === 'crashed' && who.startsWith('locket'),
  'locket-restart': ({ kind, who }) => kind === 'stopped' && who.startsWith('locket'),
  'locket-frozen': ({ kind, who }) => kind === 'paused' && who.startsWith('locket'),
  'database-outage': ({ kind, who }) => kind === 'crashed' && who === 'database',
  'database-slow': ({ kind }) => kind === 'stalled',
};

/** A cause comes before its effect, and not long before. */
function causeOf(finding, { events }, reference) {
  const { causeKind, causeCertainty, from, to } = finding;
  const isCause = CAUSES[causeKind];
  if (isCause === undefined || causeCertainty === null || causeCertainty === 'possible') return [];
  const isRight = events.some((event) => isCause(event, finding) && reference.readings(event.timeMs).some((at) => at <= (to.latestMs ?? Infinity) + SLACK_MS && at > (from.earliestMs ?? -Infinity) - 60_000));
  return [{ what: `cause ${causeKind}`, certainty: causeCertainty, isRight, finding }];
}
