// Says that the shipped Locket would have answered a test's call otherwise.

/** An answer that the shipped Locket gives otherwise. */
interface Difference {
  switches: object;
  call: string;
  answer: string;
  shipped: string;
}

/** The switches that were named in this process: once is enough for all its tests. */
const told = new Set<string>();
export const toldSwitches: ReadonlySet<string> = told;

/** Prints a difference, unless another test's server has shown its switches since this one was made. */
export function tellDifference({ switches, call, answer, shipped }: Difference): void {
  const news = Object.entries(switches).filter(([name]) => !told.has(name));
  if (news.length === 0) return;
  for (const [name] of news) told.add(name);
  const names = news.map(([name]) => name).join(', ');
  const values = news.map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : String(value)}`).join(', ');
  console.warn(
    `Profile 'documented' answered '${answer}' to ${call}. The shipped Locket answers '${shipped}' (switch ${names}). ` +
      `Test that with profile: 'upstream', or with { extends: 'documented', ${values} }.`,
  );
}
