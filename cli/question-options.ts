// Made of sim/question.schema.json by `make docs`; do not edit.

export const FAULT_OPTIONS: readonly {
  field: string;
  takes: 'commits' | 'count' | 'downtime' | 'length';
  meaning: string;
}[] = [
  { field: 'crash', takes: 'count', meaning: 'a client crashes' },
  { field: 'databaseCrash', takes: 'downtime', meaning: 'the database crashes' },
  {
    field: 'disconnect',
    takes: 'count',
    meaning: 'the connection of a client breaks while Locket is up',
  },
  { field: 'duplicate', takes: 'count', meaning: 'a message arrives twice' },
  { field: 'rowDeletion', takes: 'count', meaning: 'an operator deletes the row' },
  {
    field: 'failover',
    takes: 'commits',
    meaning: 'the database fails over to a replica that has not seen the last commits',
  },
  {
    field: 'isolation',
    takes: 'length',
    meaning:
      'a client is cut off from all Locket processes at once, as by a fault of its own network',
  },
  { field: 'locketCrash', takes: 'downtime', meaning: 'a Locket process crashes' },
  {
    field: 'locketDrain',
    takes: 'downtime',
    meaning: 'a Locket process drains, as in a rolling deploy',
  },
  { field: 'locketPause', takes: 'length', meaning: 'a Locket process is paused' },
  {
    field: 'lostMessage',
    takes: 'count',
    meaning: 'a message between a client and a Locket process is lost',
  },
  {
    field: 'lostReply',
    takes: 'count',
    meaning: 'a reply of the database is lost, although the transaction is committed',
  },
  {
    field: 'partition',
    takes: 'length',
    meaning: 'the link between a client and a Locket process is cut, in one direction or in both',
  },
  {
    field: 'pause',
    takes: 'length',
    meaning: 'a client is paused, and may believe meanwhile that it holds the lock',
  },
  {
    field: 'restart',
    takes: 'count',
    meaning: 'a client that is down or has exited starts again, with the same owner',
  },
  { field: 'stall', takes: 'length', meaning: 'the database stalls' },
  { field: 'stop', takes: 'count', meaning: 'a client is stopped in order' },
  {
    field: 'suspend',
    takes: 'length',
    meaning: 'the machine of a client is suspended, a pause in which its clock is frozen',
  },
];

export const PROPERTIES: readonly string[] = [
  'false-loss',
  'no-client-acts',
  'one-owner',
  'acquired',
  'presence-gap',
  'belief-matches-row',
  'no-wrong-write',
];

export const MARGIN_FAULTS: readonly string[] = ['isolation', 'pause', 'suspend'];

export const GUARDS: readonly string[] = [
  'modified-index',
  'none',
  'owner',
  'renewed-token',
  'token',
];

export const RUNNERS: readonly string[] = [
  'cloud-controller',
  'safe',
  'upstream',
  'upstream-before-2025-10',
];
