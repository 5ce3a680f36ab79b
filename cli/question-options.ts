// Made of sim/question.schema.json by `make docs`; do not edit.

export const BOUND_OPTIONS: [flags: string, kind: 'count' | 'duration', meaning: string][] = [
  [
    '--latency <duration>',
    'duration',
    'the longest latency of a message, 1 s by default; each message takes any time up to it',
  ],
  ['--lost-messages <count>', 'count', 'how many messages may be lost'],
  [
    '--duplicates <count>',
    'count',
    'how many messages may arrive twice, the second time within the longest latency too',
  ],
  [
    '--disconnects <count>',
    'count',
    'how many times the connection of a client may break while Locket is up: what is on its way over it is lost, and the client knows it at once',
  ],
  [
    '--partitions <count>',
    'count',
    'how many times the link between a client and a Locket process may be cut, in one direction or in both; 1 if --partition is given',
  ],
  ['--partition <duration>', 'duration', 'the longest partition'],
  ['--pauses <count>', 'count', 'how many times a client may be paused; 1 if --pause is given'],
  [
    '--pause <duration>',
    'duration',
    'the longest pause of a client, which may believe meanwhile that it holds the lock',
  ],
  [
    '--suspends <count>',
    'count',
    'how many times the machine of a client may be suspended; 1 if --suspend is given',
  ],
  ['--suspend <duration>', 'duration', "the longest suspend of a client's machine"],
  ['--crashes <count>', 'count', 'how many times a client may crash'],
  [
    '--restarts <count>',
    'count',
    'how many times a client that is down or has exited may start again, with the same owner',
  ],
  ['--stops <count>', 'count', 'how many times a client may be stopped in order'],
  ['--locket-crashes <count>', 'count', 'how many times a Locket process may crash'],
  [
    '--locket-drains <count>',
    'count',
    'how many times a Locket process may drain, as in a rolling deploy: it accepts no connection, finishes its calls, stops and starts again',
  ],
  [
    '--locket-downtime <duration>',
    'duration',
    'the longest downtime of a Locket process after a crash or a drain',
  ],
  [
    '--locket-pauses <count>',
    'count',
    'how many times a Locket process may be paused; 1 if --locket-pause is given',
  ],
  ['--locket-pause <duration>', 'duration', 'the longest pause of a Locket process'],
  [
    '--database-latency <duration>',
    'duration',
    'the longest latency of a query to the database, and of its reply, none by default; each takes any time up to it',
  ],
  ['--stalls <count>', 'count', 'how many times the database may stall; 1 if --stall is given'],
  ['--stall <duration>', 'duration', 'the longest stall of the database'],
  ['--database-crashes <count>', 'count', 'how many times the database may crash'],
  [
    '--database-downtime <duration>',
    'duration',
    'the longest downtime of the database after a crash',
  ],
  [
    '--lost-replies <count>',
    'count',
    'how many replies of the database to a Locket process may be lost',
  ],
  ['--failovers <count>', 'count', 'how many times the database may fail over'],
  ['--lost-commits <count>', 'count', 'how many commits a failover loses; 1 by default'],
  ['--row-deletions <count>', 'count', 'how many times an operator may delete the row'],
];

export const PROPERTIES: readonly string[] = [
  'false-loss',
  'handover',
  'one-owner',
  'acquired',
  'presence-gap',
  'belief-matches-row',
];

export const RUNNERS: readonly string[] = [
  'cloud-controller',
  'safe',
  'upstream',
  'upstream-before-2025-10',
];
