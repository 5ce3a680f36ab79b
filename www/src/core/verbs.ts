// What can be done to a thing of the diagram, as verbs: the package's actions with words for people.

import type { ScenarioAct, SimulationMessage, SimulationNode } from 'locket-wasm/slim';

import type { Session } from './session.svelte.js';

/** A thing of the diagram that something can be done to. */
export type Thing =
  | { kind: 'node'; node: SimulationNode }
  | { kind: 'row'; key: string }
  | { kind: 'message'; message: SimulationMessage };

/** Something that can be done. */
export interface Verb {
  words: string;
  do: (session: Session) => void;
}

/** The name of a thing. */
export function nameOf(thing: Thing): string {
  if (thing.kind === 'node') return thing.node.name;
  if (thing.kind === 'row') return `the row of ${thing.key}`;
  const { from, to, isAnswer } = thing.message;
  return `${isAnswer ? 'answer' : 'call'} from ${from} to ${to}`;
}

/** What can be done to it; `seconds` is how long whatever lasts lasts. */
export function verbsFor(thing: Thing, seconds: number): Verb[] {
  if (thing.kind === 'message') return messageVerbs(thing.message, seconds);
  if (thing.kind === 'row') {
    return [
      act({ do: 'delete-row', key: thing.key }, `delete the row of ${thing.key}`),
      act({ do: 'put-row', key: thing.key, owner: 'operator', ttl: `${seconds}s` }, `an operator claims ${thing.key} for ${seconds} s`),
    ];
  }
  const { node } = thing;
  if (node.kind === 'database') return databaseVerbs(node, seconds);
  return nodeVerbs(node, seconds);
}

function nodeVerbs(node: SimulationNode, seconds: number): Verb[] {
  const { name } = node;
  if (node.status === 'down') return [act({ do: 'start', node: name }, `start ${name}`)];
  const pausing =
    node.status === 'paused'
      ? [act({ do: 'resume', node: name }, `let ${name} go on`)]
      : [act({ do: 'pause', node: name, for: `${seconds}s` }, `pause ${name} for ${seconds} s`)];
  const common = [
    ...pausing,
    act({ do: 'crash', node: name }, `crash ${name}`),
    act({ do: 'restart', node: name }, `restart ${name}`),
    act({ do: 'stop', node: name }, `tell ${name} to stop`),
  ];
  if (node.kind === 'locket') return common;
  const byHand: Verb[] =
    node.retryMs !== null
      ? []
      : [act({ do: 'lock', node: name }, `have ${name} lock ${node.key ?? ''}`), act({ do: 'release', node: name }, `have ${name} release ${node.key ?? ''}`)];
  return [
    ...common,
    act({ do: 'cut', from: name, to: 'locket' }, `cut ${name} off from Locket`),
    act({ do: 'heal', from: name, to: 'locket' }, `connect ${name} with Locket again`),
    act({ do: 'drop', from: name, to: 'locket', count: 1 }, `lose the next call of ${name}`),
    ...byHand,
  ];
}

function databaseVerbs(node: SimulationNode, seconds: number): Verb[] {
  if (node.status === 'down') return [act({ do: 'start', node: node.name }, 'start the database')];
  return [
    act({ do: 'stall', for: `${seconds}s` }, `have the database hang for ${seconds} s`),
    act({ do: 'fail-over', count: 1 }, 'fail over and lose the last commit'),
    act({ do: 'lose-answers', count: 1 }, 'lose the next answer, though it is committed'),
    act({ do: 'crash', node: node.name }, 'crash the database'),
  ];
}

function messageVerbs(message: SimulationMessage, seconds: number): Verb[] {
  const name = nameOf({ kind: 'message', message });
  if (message.fate !== 'arrives') return [];
  return [
    { words: 'lose it', do: (session) => session.interfere(message, undefined, `the ${name} is lost`) },
    {
      words: `have it take ${seconds} s longer`,
      do: (session) => session.interfere(message, seconds * 1000, `the ${name} takes ${seconds} s longer`),
    },
  ];
}

function act(action: ScenarioAct, words: string): Verb {
  return { words, do: (session) => session.act(action, words) };
}
