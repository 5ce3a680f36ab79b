// Made of sim/question.schema.json by `make docs`; do not edit.

import type { Duration } from '../base/duration.js';
import type { VisibleState } from './visible-states.js';

/** The property. */
export type Property =
  | {
      /** A runner gives its lock up although the row is still its own. */
      is: 'false-loss';
    }
  | {
      /**
       * For longer than `allow`, no client believes that it holds the lock and runs, after one did
       * and while a client wants it. A paused client believes, but does not run.
       */
      is: 'no-client-acts';
      /** How long it may last. */
      allow: Duration;
    }
  | {
      /** Two clients believe at the same time, for longer than `allow`, that they hold the lock. */
      is: 'one-owner';
      /** How long it may last. */
      allow?: Duration;
    }
  | {
      /**
       * A state for which `never` is true lasts longer than `allow`. The search asks `never` once
       * about every possible state, before it begins.
       */
      is: 'own';
      /** The states. */
      never: (state: VisibleState) => boolean;
      /** How long it may last. */
      allow?: Duration;
    }
  | {
      /** A client wants the lock, and for `allow` from the start on no client holds it. */
      is: 'acquired';
      /** How long it may last. */
      allow: Duration;
    }
  | {
      /**
       * The presence has no row for longer than `allow`, after it had one and while a client wants
       * it.
       */
      is: 'presence-gap';
      /** How long it may last. */
      allow: Duration;
    }
  | {
      /**
       * A client believes for longer than `allow` that it holds the lock, while the row is not its
       * own.
       */
      is: 'belief-matches-row';
      /** How long it may last. */
      allow: Duration;
    }
  | {
      /** The storage takes a write of a client after one of a later holder. */
      is: 'no-wrong-write';
    };

export const PROPERTIES: Readonly<
  Record<Property['is'], 'may-allow' | 'must-allow' | 'takes-nothing'>
> = {
  'false-loss': 'takes-nothing',
  'no-client-acts': 'must-allow',
  'one-owner': 'may-allow',
  own: 'may-allow',
  acquired: 'must-allow',
  'presence-gap': 'must-allow',
  'belief-matches-row': 'must-allow',
  'no-wrong-write': 'takes-nothing',
};
