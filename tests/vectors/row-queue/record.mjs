// Records how transactions of Locket wait for a row in a real PostgreSQL: 1 s retries, and commits that take longer.
//
//   PGHOST=/tmp/pg PGUSER=postgres node tests/vectors/row-queue/record.mjs > tests/vectors/row-queue/postgres.json
//
// Each attempt has a connection of its own, a `psql`, as Locket's pool gives it one. Its statements are those of Locket's lockDB
// (B39 to B43). The time before COMMIT or ROLLBACK is that of a database whose answers are slow. An attempt that waits longer than
// Locket does is cancelled (B22). Needs PostgreSQL and `psql`; no test runs this file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const TRANSACTION_MS = 1_100;
const OPERATION_TIMEOUT_MS = 10_000;
/** When each client makes its attempts: the first at `startMs`, then each second. All clients begin where there is no row. */
const CLIENTS = [
  { owner: 'a', startMs: 0, attempts: 9 },
  { owner: 'b', startMs: 300, attempts: 9 },
  { owner: 'c', startMs: 600, attempts: 9 },
];
const COLUMNS = 'path, owner, value, type, modified_index, modified_id, ttl';
const RETRY_MS = 1_000;

/** A connection on which statements run one after the other. */
class Connection {
  #psql = spawn('stdbuf', ['-oL', 'psql', '-qAtX', '-v', 'ON_ERROR_STOP=0'], { stdio: ['pipe', 'pipe', 'pipe'] });
  #errors = '';
  #lines = [];
  #ends = [];

  constructor() {
    this.#psql.stderr.on('data', (text) => { this.#errors += text; });
    createInterface({ input: this.#psql.stdout }).on('line', (line) => {
      if (line !== END) return this.#lines.push(line);
      this.#ends.shift()({ rows: this.#lines.splice(0), error: this.#errors });
    });
  }

  /** Runs statements; gives their rows and what went wrong. */
  run(sql) {
    this.#errors = '';
    this.#psql.stdin.write(`${sql}\n\\echo ${END}\n`);
    return new Promise((resolve) => { this.#ends.push(resolve); });
  }

  async close() {
    this.#psql.stdin.end();
    await once(this.#psql, 'exit');
  }
}

const END = '~end~';

async function attempt(connection, operator, owner, now) {
  const { rows: [pid] } = await connection.run('SELECT pg_backend_pid();');
  const at = now();
  const timeout = setTimeout(() => operator.run(`SELECT pg_cancel_backend(${pid});`), OPERATION_TIMEOUT_MS);
  const select = await connection.run(`BEGIN;\nSELECT ${COLUMNS} FROM locks WHERE path = 'k'\nLIMIT 1\nFOR UPDATE;`);
  let outcome = await change(connection, owner, select);
  const granted = now();
  clearTimeout(timeout);
  const holds = ['inserted', 'updated', 'collision'].includes(outcome);
  const left = at + OPERATION_TIMEOUT_MS - granted;
  if (holds) await sleep(Math.min(TRANSACTION_MS, left));
  if (holds && left < TRANSACTION_MS) outcome = 'cancelled';
  await connection.run(['inserted', 'updated'].includes(outcome) ? 'COMMIT;' : 'ROLLBACK;');
  return { owner, at, granted, ended: now(), outcome };
}

/** Inserts or updates the row that was selected, if the owner may; says what came of it. */
async function change(connection, owner, { rows, error }) {
  if (error !== '') return 'cancelled';
  const row = rows[0]?.split('|');
  if (row !== undefined && row[1] !== owner) return 'collision';
  const sql = row === undefined
    ? `INSERT INTO locks (${COLUMNS}) VALUES ('k', '${owner}', '', 'lock', 1, 'id', 15);`
    : `UPDATE locks SET owner = '${owner}', value = '', type = 'lock', modified_index = ${Number(row[4]) + 1}, modified_id = 'id', ttl = 15 WHERE path = 'k';`;
  const changed = await connection.run(sql);
  if (changed.error.includes('duplicate key')) return 'exists';
  if (changed.error !== '') return 'cancelled';
  return row === undefined ? 'inserted' : 'updated';
}

async function main() {
  const connections = Array.from({ length: CLIENTS.reduce((sum, { attempts }) => sum + attempts, 0) }, () => new Connection());
    const operator = new Connection();
  const { rows: [version] } = await operator.run('SHOW server_version;');
  await operator.run(`DROP TABLE IF EXISTS locks;
    CREATE TABLE locks (path VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), value VARCHAR(4096), type VARCHAR(255) DEFAULT '',
      modified_index BIGINT DEFAULT 0, modified_id VARCHAR(255) DEFAULT '', ttl BIGINT DEFAULT 0);`);
  // Each connection knows the table.
  await Promise.all(connections.map((connection) => connection.run("SELECT path FROM locks WHERE path = 'k' LIMIT 1 FOR UPDATE;")));
  const begin = performance.now();
  const now = () => Math.round(performance.now() - begin);
  const planned = CLIENTS.flatMap(({ owner, startMs, attempts }) => Array.from({ length: attempts }, (_, index) => ({ owner, at: startMs + index * RETRY_MS })));
  const made = planned.map(async ({ owner, at }, index) => {
    await sleep(at - now());
    return attempt(connections[index], operator, owner, now);
  });
  const attempts = (await Promise.all(made)).sort((one, other) => one.at - other.at);
  await Promise.all([operator, ...connections].map((connection) => connection.close()));
  const lines = attempts.map((it) => `    ${JSON.stringify(it)}`);
  console.log(`{\n  "postgres": ${JSON.stringify(version)},\n  "transactionMs": ${TRANSACTION_MS},\n  "attempts": [\n${lines.join(',\n')}\n  ]\n}`);
}

await main();
