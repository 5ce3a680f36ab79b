// Whether a diagnosis of more files contradicts one of fewer, or says less exactly what that has said.

/** A line is written some ms after what it tells, and clocks are known to some ms. */
const SLACK_MS = 60;

/** What the diagnosis of more files has against that of fewer; nothing if it only adds to it. */
export function contradictions(less, more, { isLocketAdded = false } = {}) {
  const seen = clockOf(less, more);
  return [...againstFindings(less, more, seen), ...againstLanes(less, more, seen, isLocketAdded)];
}

/** The time of a diagnosis of more files by the clock of the other. */
function clockOf({ reference }, { clocks }) {
  const { aheadMs = 0, earliestMs = 0, latestMs = 0 } = clocks.find(({ machine }) => machine === reference) ?? {};
  const plus = (ms, by) => (ms === null || by === null ? null : ms + by);
  return {
    ms: (ms) => ms + aheadMs,
    bounds: (bounds) => ({ earliestMs: plus(bounds.earliestMs, earliestMs), latestMs: plus(bounds.latestMs, latestMs) }),
    slackMs: SLACK_MS + (earliestMs === null || latestMs === null ? Infinity : latestMs - earliestMs),
  };
}

function againstFindings(less, more, seen) {
  return less.findings
    .filter(({ certainty }) => certainty === 'certain')
    .flatMap((finding) => {
      const same = more.findings.filter(({ kind, key, owners }) => kind === finding.kind && key === finding.key && finding.owners.every((owner) => owners.includes(owner)));
      const near = same.filter((other) => meet(finding.from, seen.bounds(other.from), seen) && (finding.isOpen || meet(finding.to, seen.bounds(other.to), seen)));
      const what = `${finding.kind} "${finding.summary}"`;
      if (near.length === 0) return [`${what} is not found any more; ${same.length === 0 ? 'none is' : `but "${same[0].summary}"`}`];
      const sure = near.filter(({ certainty }) => certainty === 'certain');
      if (sure.length === 0) return [`${what} is only ${near[0].certainty} now`];
      const exact = sure.filter((other) => isAsExact(finding.from, other.from, seen) && (finding.isOpen || isAsExact(finding.to, other.to, seen)));
      if (exact.length === 0) return [`${what} has wider bounds now: ${JSON.stringify([finding.from, finding.to, sure[0].from, sure[0].to])}`];
      return exact.some((other) => keepsCause(finding, other)) ? [] : [`${what} was caused by ${finding.causeKind}, and now by ${exact[0].causeKind}, ${exact[0].causeCertainty}`];
    });
}

/** Locket's own lines may say why a call failed as it did. */
const WHY = ['locket-crash', 'locket-restart', 'locket-frozen', 'database-outage', 'database-slow', 'slow-replies'];
const EXPLAINED = ['connection-closed', 'connection-refused', 'no-connection', 'call-reset', 'slow-requests'];

/** A certain cause stays as it is, or is explained; a likely or possible cause may be refuted. */
function keepsCause(finding, other) {
  if (EXPLAINED.includes(finding.causeKind) && WHY.includes(other.causeKind)) return true;
  return finding.causeCertainty !== 'certain' || (other.causeKind === finding.causeKind && other.causeCertainty === 'certain');
}

function againstLanes(less, more, seen, isLocketAdded) {
  return less.keys.flatMap(({ key, lanes }) => {
    const others = more.keys.find((timeline) => timeline.key === key)?.lanes ?? [];
    return lanes.filter(({ isInferred }) => !isInferred).flatMap(({ name, kind, parts }) => {
      const own = others.find((lane) => lane.kind === kind && lane.name === name)?.parts ?? [];
      return parts.flatMap((part) => againstPart(`${name} of ${key}`, part, own, seen, isLocketAdded));
    });
  });
}

function againstPart(what, part, own, seen, isLocketAdded) {
  const same = own.filter(({ owner, from, to }) => owner === part.owner && meet(part.from, seen.bounds(from), seen) && (part.end === 'open' || meet(part.to, seen.bounds(to), seen)));
  const times = JSON.stringify([part.owner, part.from, part.to, part.end]);
  if (same.length === 0) return [`${what}: ${times} is not there any more: ${JSON.stringify(own.map(({ owner, from, to, end }) => [owner, from, to, end]))}`];
  if (!same.some(({ from, to }) => isAsExact(part.from, from, seen) && (part.end === 'open' || isAsExact(part.to, to, seen)))) return [`${what}: ${times} has wider bounds now: ${JSON.stringify(same[0])}`];
  const isRenewalKept = isLocketAdded || part.renewedMs === null || same.some(({ renewedMs }) => renewedMs !== null && Math.abs(seen.ms(renewedMs) - part.renewedMs) <= seen.slackMs);
  return isRenewalKept ? [] : [`${what}: its last renewal was at ${part.renewedMs}, and now at ${same[0].renewedMs}`];
}

const low = ({ earliestMs }) => earliestMs ?? -Infinity;
const high = ({ latestMs }) => latestMs ?? Infinity;
const meet = (a, b, { slackMs }) => low(a) <= high(b) + slackMs && low(b) <= high(a) + slackMs;
const widthOf = (bounds) => high(bounds) - low(bounds);

/** Not wider, and a bound that was known is known; between clocks of which nothing relates one to the other, no bound is. */
function isAsExact(before, now, { slackMs }) {
  if (slackMs === Infinity) return true;
  if ((before.earliestMs !== null && now.earliestMs === null) || (before.latestMs !== null && now.latestMs === null)) return false;
  const width = widthOf(before);
  return width === Infinity || widthOf(now) <= width + slackMs;
}
