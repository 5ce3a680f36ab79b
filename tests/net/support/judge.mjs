// Runs wire cases with a client class, anywhere: says what is wrong, case by case. The call only reads, so where a case says
// that the outcome is unknown, it has no effect.

/** Calls Fetch once for each case; `{name, problem}` for each that did not end as it should. */
export async function runCases({ LocketClient }, base, cases, options = {}) {
  const problems = [];
  const queue = cases.values();
  const worker = async () => {
    for (const entry of queue) {
      const problem = await judge(LocketClient, base, entry, options);
      if (problem !== undefined) problems.push({ name: entry.name, problem });
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return problems;
}

async function judge(LocketClient, base, { name, timeout, expect }, options) {
  const client = new LocketClient({ baseUrl: `${base}/${name}`, ...options });
  const late = new Promise((resolve) => setTimeout(resolve, 20_000, 'never settled'));
  const call = client.fetch('k', timeout === undefined ? {} : { timeout }).then(
    () => (expect.ok ? undefined : 'succeeded'),
    (error) => problemOf(error, expect),
  );
  return Promise.race([call, late]);
}

function problemOf(error, { ok, code, outcome, reason, message, metadata }) {
  const told = `${error.name} ${error.code} ${error.outcome} ${JSON.stringify(error.rawMessage ?? error.message)}`;
  if (ok || error.name !== 'LocketError' || error.code !== code) return told;
  if (outcome !== undefined && error.outcome !== (outcome === 'unknown' ? 'no-effect' : outcome)) return told;
  if (reason !== undefined && error.reason !== reason) return told;
  if (message !== undefined && !error.rawMessage.includes(message)) return told;
  if (metadata !== undefined && JSON.stringify(error.metadata) !== JSON.stringify(metadata)) return told;
  return undefined;
}
