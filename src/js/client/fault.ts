// The field of a request that a refusal is about.

const FIELD_BY_REASON: Partial<Record<string, string>> = {
  'invalid-key': 'key',
  'invalid-owner': 'owner',
  'invalid-ttl': 'ttl',
  'invalid-type': 'kind',
};

/** The lengths of the columns, in characters. */
const LENGTHS_MAX: Record<string, number> = { key: 255, owner: 255, value: 4096, type: 255 };

/** The field that Locket's refusal is about; `undefined` if it is about none. */
export function fieldAtFault(rawMessage: string, request: object): string | undefined {
  const field = FIELD_BY_REASON[rawMessage];
  if (field !== undefined) return field;
  const texts = Object.entries(request).filter((entry): entry is [string, string] => entry[0] in LENGTHS_MAX && typeof entry[1] === 'string');
  if (rawMessage === 'sql-bad-request') return texts.find(([name, value]) => isLonger(value, LENGTHS_MAX[name]))?.[0];
  if (rawMessage.includes('larger than max')) return texts.sort((a, b) => b[1].length - a[1].length)[0]?.[0];
  if (rawMessage.includes('error code: 22021')) return texts.find(([, value]) => value.includes('\0'))?.[0];
  return undefined;
}

function isLonger(value: string, max: number | undefined): boolean {
  return max !== undefined && value.length > max && [...value].length > max;
}
