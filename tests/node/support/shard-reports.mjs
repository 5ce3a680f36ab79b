// Reports of shards that no command wrote, with the digest of their content.

import { createHash } from 'node:crypto';

const REPORT = { format: 'locket-wasm shard 1', kind: 'seeds', shard: '1/1', version: '0.0.0', inputs: {} };

/** The text of a report with this result, and with other members changed. */
export const reportOf = (result, change = {}) => sealed({ ...REPORT, ...change, result });

/** The text of a report with its digest. */
export function sealed({ digest: _, ...content }) {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return JSON.stringify({ ...content, digest });
}
