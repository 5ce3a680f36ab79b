// Made of sim/scenario.schema.json by `make docs`; do not edit.

import type { Duration } from '../base/duration.js';
import type { ProfileChoice } from '../server/profile.js';
import type { RunnerName } from '../base/runner-name.js';

/**
 * A run as data: the clients, the actions and faults in it, and the expected outcome.
 *
 * @example
 * ```ts
 * const run = runScenario({
 *   name: 'a renewal is late',
 *   until: '30s',
 *   clients: [
 *     { name: 'bbs-0', key: 'bbs', ttl: '15s', retryInterval: '5s' },
 *     { name: 'bbs-1', key: 'bbs', ttl: '15s', retryInterval: '5s', startAt: '1s' }
 *   ],
 *   actions: [
 *     { at: '7s', do: 'pause', node: 'bbs-0', for: '20s' }
 *   ],
 *   expect: [
 *     { at: '29s', key: 'bbs', owner: 'bbs-1' }
 *   ]
 * } satisfies Scenario);
 * ```
 */
export interface Scenario {
  /**
   * The schema of scenarios, for editors: `locket-wasm/scenario.schema.json`. It changes
   * nothing.
   */
  $schema?: string;
  /** The name of the run. */
  name: string;
  /** A description for readers. */
  description?: string;
  /**
   * The Locket of the run: a preset, or a preset with single switches changed. Default:
   * `documented`.
   */
  profile?: ProfileChoice;
  /** The seed of modified ids, and of every random decision. */
  seed?: number;
  /**
   * Whether the seed decides latencies, lost and duplicated messages, and the order of events at
   * one instant. If not, only the listed actions and faults happen.
   */
  random?: boolean;
  /**
   * Decisions that replace the seed's, by place: `{"l3.17": 1}`. `minimize` and counterexamples
   * write them.
   */
  overrides?: {
    [k: string]: number;
  };
  /** How many Locket processes share the database. Default: `1`. */
  processes?: number;
  /** The links between clients and Locket processes. */
  network?: ScenarioNetwork;
  /** The link between Locket processes and their database. */
  database?: ScenarioDatabase;
  /** The storage that holders of a key write to, as guarded as it is. */
  storage?: ScenarioStorage;
  /** When the run ends. It goes on until the last action, expectation and start of a runner. */
  until?: Duration;
  /** The clients of Locket. */
  clients: ScenarioClient[];
  /** The actions on clients, processes, links and the database. */
  actions?: ScenarioAction[];
  /** The conditions that must hold in the run. */
  expect?: ScenarioExpectation[];
}

/** The links between clients and Locket processes. */
export interface ScenarioNetwork {
  /** How long a request or a reply takes. */
  latency?: ScenarioLatency;
  /** The share of messages that are lost in a random run. */
  loss?: Share;
  /** The share of messages that arrive twice in a random run. */
  duplicates?: Share;
}

/**
 * How long a message takes: one duration, or a range. A run that is not random takes the
 * minimum of a range.
 */
export type ScenarioLatency =
  | Duration
  | {
      /** The minimum. */
      min?: Duration;
      /** The maximum. */
      max: Duration;
      /** The step between the values of the range; 1 ms if it is 0. */
      step?: Duration;
    };

/** A percentage from 0 to 100 with at most one decimal, such as `30%` or `0.5%`. */
export type Share = `${number}%`;

/** The link between Locket processes and their database. */
export interface ScenarioDatabase {
  /** How long a query or its reply takes. */
  latency?: ScenarioLatency;
  /**
   * How long a transaction holds its row, from its statement until it commits. Other
   * transactions on the same key wait behind it, in order. By default it takes no time.
   */
  transactionTime?: ScenarioLatency;
  /** The share of replies that are lost after the commit in a random run. */
  replyLoss?: Share;
}

/**
 * The storage that holders of a key write to, which no Locket knows of. Each key has a part of
 * its own.
 *
 * A holder is a client from when a Lock takes the row until one of another client does, and a
 * client that has started anew is a later holder. A write is wrong if the storage takes it
 * after it has taken one of a later holder.
 */
export interface ScenarioStorage {
  /**
   * The condition under which it takes a write.
   *
   * * `modified-index`: The `modified_index` of the row when the client decided on the write is
   *   not lower than that of any write before.
   * * `none`: Nothing.
   * * `owner`: The row has the client's owner string, at the moment of the write.
   * * `renewed-token`: The newest token of a counter, from which a client takes one after it has
   *   the lock. It is used after a renewal that was sent after the token had come.
   * * `token`: The same, but the token is used at once.
   */
  guard: 'modified-index' | 'none' | 'owner' | 'renewed-token' | 'token';
  /** How long a write takes to arrive, and a request for a token. */
  writeLatency?: Duration;
  /** How often each client that acts decides on a write; by default only the actions `write` do. */
  writeInterval?: Duration;
}

/**
 * A client of Locket. With a `retryInterval`, a `runner` or `keys` it is a runner, which takes
 * its key and renews it. Any other client makes only the calls among the actions. The settings
 * of `acquire` fit.
 */
export interface ScenarioClient {
  /** Its name, which no other node has. */
  name: string;
  /**
   * How many clients this entry stands for. In `name`, `key`, `keys`, `owner` and `value`, `{i}`
   * is the number of the client, from 0. The name with its `{i}` names all of them in actions.
   */
  count?: number;
  /**
   * The kind of resource that it takes. Default: `lock`.
   *
   * * `joint`: Several locks together. A client that loses one gives up all.
   * * `lock`: A lock.
   * * `presence`: A presence, which says that the client is alive.
   */
  kind?: 'joint' | 'lock' | 'presence';
  /** Its key; a joint lock has `keys` instead. */
  key?: string;
  /**
   * The keys of a joint lock. It takes them in this order, and waits for the first without
   * limit.
   */
  keys?: string[];
  /** How long a joint lock waits for each key after the first; its TTL by default. */
  keyTimeout?: Duration;
  /** Its owner in Locket; its name by default. */
  owner?: string;
  /** The value that it stores with the key. */
  value?: string;
  /** The lease, in whole seconds. After a crash, other owners wait this long. Default: `15s`. */
  ttl?: Duration;
  /**
   * The time between the attempts of its runner. The default is the smaller of 5 s and a third
   * of `ttl` − `margin`, rounded down to whole seconds or tenths.
   */
  retryInterval?: Duration;
  /** Its runner; `safe` by default. */
  runner?: RunnerName;
  /**
   * How long before the end of its lease a safe runner stops. The default is 1 s (500 ms for a
   * TTL below 10 s, 250 ms below 5 s, 100 ms below 3 s).
   */
  margin?: Duration;
  /** Whether the first attempt has a deadline like the others; upstream's has none. */
  firstAttemptDeadline?: boolean;
  /** When its runner starts. */
  startAt?: Duration;
  /** The time between the starts of the clients that one entry stands for. */
  startEvery?: Duration;
  /**
   * How many events of that instant happen before the runner starts. By default it starts after
   * all events that no action causes.
   */
  startAfter?: number;
  /** The index of the Locket process that it prefers. */
  process?: number;
  /** The clock of its machine. */
  clock?: ScenarioClock;
}

/** The clock of a machine. */
export interface ScenarioClock {
  /** How far ahead the clock is. */
  offset?: Duration;
  /** How many microseconds the clock gains each second; negative for a slow clock. */
  ratePpm?: number;
}

/** An action at a moment of the run, once or repeatedly. */
export type ScenarioAction = ScenarioAct & ScenarioSchedule;

/** An action that happens now. */
export type ScenarioAct =
  | {
      /**
       * A write of a client arrives at the storage, or its request for a token, before it would by
       * itself: of several the first.
       */
      do: 'arrive';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /**
       * A node crashes and loses what it knows; it releases nothing. A database that is down refuses
       * every query, and keeps its rows.
       */
      do: 'crash';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /**
       * A link loses every message, for a time or until `heal`, in both directions unless `oneWay`
       * is true.
       */
      do: 'cut';
      /** One end of the link: a node. */
      from: string;
      /** The other end of the link: a node. */
      to: string;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
      /** Whether only the direction from `from` to `to` is affected. */
      oneWay?: boolean;
    }
  | {
      /** An operator deletes the row of a key, unless the database is down. */
      do: 'delete-row';
      /** The key of the row. */
      key: string;
    }
  | {
      /**
       * The connection of a client to its Locket process breaks: what is on its way over it is lost,
       * and calls under way fail. Of a Locket process: the connections of all its clients.
       */
      do: 'disconnect';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** A Locket process stops in order: it accepts no connection and finishes its calls. */
      do: 'drain';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** An operator drops the table. */
      do: 'drop-table';
    }
  | {
      /** The database fails over to a replica that lacks its last `lostCommits` commits. */
      do: 'fail-over';
      /** How many commits are lost. */
      lostCommits: number;
    }
  | {
      /** A client reads the owner of its key. */
      do: 'fetch';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** A client lists all resources of its kind. */
      do: 'fetch-all';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** A link that was cut carries messages again. */
      do: 'heal';
      /** One end of the link: a node. */
      from: string;
      /** The other end of the link: a node. */
      to: string;
      /** Whether only the direction from `from` to `to` is affected. */
      oneWay?: boolean;
    }
  | {
      /** A client takes or renews its key. */
      do: 'lock';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** A client sends a Lock request without a resource, as no library does. */
      do: 'lock-without-resource';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /**
       * A link loses its next messages, in the direction from `from` to `to` unless `oneWay` is
       * false.
       */
      do: 'lose-messages';
      /** One end of the link: a node. */
      from: string;
      /** The other end of the link: a node. */
      to: string;
      /** How many messages or replies are lost; 1 message by default. */
      count?: number;
      /** Whether only the direction from `from` to `to` is affected. */
      oneWay?: boolean;
    }
  | {
      /** The database commits its next transactions, and their replies are lost. */
      do: 'lose-replies';
      /** How many messages or replies are lost; 1 message by default. */
      count: number;
    }
  | {
      /** The author comments on this moment. */
      do: 'note';
      /** The text of the note. */
      text: string;
    }
  | {
      /** A node is paused, until `resume` or for a time. Its clock runs on. */
      do: 'pause';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
    }
  | {
      /** An operator writes the row of a key. */
      do: 'put-row';
      /** The key of the row. */
      key: string;
      /** The owner. */
      owner: string;
      /** The TTL of the row, in whole seconds; 15 s by default. */
      ttl?: Duration;
    }
  | {
      /** A client releases its key. */
      do: 'release';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** A node crashes and starts again at once, a client perhaps with another owner. */
      do: 'restart';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
      /** The owner. */
      owner?: string;
    }
  | {
      /** A paused or suspended node continues. */
      do: 'resume';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /**
       * A link gets another latency, for a time or from now on, in both directions unless `oneWay`
       * is true.
       */
      do: 'set-latency';
      /** One end of the link: a node. */
      from: string;
      /** The other end of the link: a node. */
      to: string;
      /** The new latency of the link. */
      latency: ScenarioLatency;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
      /** Whether only the direction from `from` to `to` is affected. */
      oneWay?: boolean;
    }
  | {
      /**
       * A link loses another share of its messages, for a time or from now on, in both directions
       * unless `oneWay` is true.
       */
      do: 'set-loss';
      /** One end of the link: a node. */
      from: string;
      /** The other end of the link: a node. */
      to: string;
      /** The share of messages that the link loses. */
      loss: Share;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
      /** Whether only the direction from `from` to `to` is affected. */
      oneWay?: boolean;
    }
  | {
      /** A transaction of the database holds its row for another time, for a time or from now on. */
      do: 'set-transaction-time';
      /** How long a transaction holds its row. */
      transactionTime: ScenarioLatency;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
    }
  | {
      /** The database answers no query for a time, unless it is down. A crash ends that. */
      do: 'stall';
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for: Duration;
    }
  | {
      /** A node that is down starts. A Locket process starts as soon as the database is up. */
      do: 'start';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** A client stops in order: its runner releases its key and ends. */
      do: 'stop';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
    }
  | {
      /** A machine is suspended, until `resume` or for a time. Its clock stops. */
      do: 'suspend';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
    }
  | {
      /** A client that acts asks the storage for a token. */
      do: 'take-token';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
    }
  | {
      /**
       * A client that acts decides on a write to the storage. A pause that has begun at this very
       * instant holds the write up until it ends.
       */
      do: 'write';
      /** The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`. */
      node: string;
      /**
       * How long it lasts; how long a write or a request for a token takes, the storage's
       * `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a
       * link stays as it is until the next change. After it, a link is as it was before.
       */
      for?: Duration;
    };

/** When an action happens: once, or at an interval. */
export type ScenarioSchedule =
  | {
      /** When it happens first, from the start of the run. */
      at: Duration;
      /**
       * How many events of that instant happen before it. By default it happens after all events
       * that no action causes.
       */
      after?: number;
      every?: never;
      until?: never;
    }
  | {
      /** When it happens first, from the start of the run. */
      at: Duration;
      /**
       * How many events of that instant happen before it. By default it happens after all events
       * that no action causes.
       */
      after?: number;
      /** The interval of repetitions. */
      every: Duration;
      /** The end of repetitions, from the start of the run. */
      until: Duration;
    };

/** A condition that must hold at a moment, or in the whole run. */
export interface ScenarioExpectation {
  /** The moment, after all its events. */
  at?: Duration;
  /**
   * The key that `owner`, `believers`, `twoOwnersFor`, `noRowFor` and `noClientActsFor` are
   * about. For the last three, a key with `{i}` stands for the keys of all clients of its entry.
   */
  key?: string;
  /** The owner of the key's row at that moment; `null` for no row. */
  owner?: string | null;
  /**
   * The clients that believe at that moment that they hold the key. A joint lock does so once it
   * holds all its keys.
   */
  believers?: string[];
  /** How long in the whole run two or more clients believed so at the same time. */
  twoOwnersFor?: Duration;
  /**
   * The longest time in the whole run that the key may have no row, after its first one; a row
   * with an empty owner counts as none. For the key of a presence this is the longest gap.
   */
  noRowFor?: Duration;
  /**
   * The longest time in the whole run in which no client acts, after the first client did: no
   * client believes that it holds the key and runs. A crashed holder leaves a row, a paused one
   * believes; neither acts.
   */
  noClientActsFor?: Duration;
  /** How many writes in the whole run the storage took after one of a later holder. */
  wrongWrites?: number;
  /** How many writes in the whole run the storage refused although no later holder had written. */
  refusedWrites?: number;
  /** A text that an event must contain: an event at that moment, or any event without `at`. */
  event?: string;
  /** How many events must contain `event`; at least 1 by default. */
  count?: number;
  /** A text that no event may contain. */
  noEvent?: string;
}
