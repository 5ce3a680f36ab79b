// The actions on a thing of the diagram: the package's actions with their labels.

import type { ScenarioAct, SimulationMessage, SimulationNode, SimulationTimeline } from 'locket-wasm/types';
import { type Names, seconds } from '../base/picture.js';

import type { Session } from './session.svelte.js';

/** A thing of the diagram that takes actions. */
export type Thing =
  | { kind: 'node'; node: SimulationNode }
  | { kind: 'row'; key: string }
  | { kind: 'message'; message: SimulationMessage };

/** An action with its label. */
export interface Verb {
  words: string;
  do: (session: Session) => void;
}

/** The name of a thing. */
export function nameOf(thing: Thing, names: Names): string {
  if (thing.kind === 'node') return names(thing.node.name);
  if (thing.kind === 'row') return `the lock ${thing.key}`;
  const { from, to, isAnswer } = thing.message;
  return `${isAnswer ? 'answer' : 'call'} from ${names(from)} to ${names(to)}`;
}

/** The actions on a thing; `seconds` is the length of those with a duration. */
export function verbsFor(thing: Thing, seconds: number, names: Names): Verb[] {
  if (thing.kind === 'message') return messageVerbs(thing.message, seconds, names);
  if (thing.kind === 'row') return rowVerbs(thing.key, seconds);
  const { node } = thing;
  if (node.kind === 'database') return databaseVerbs(node, seconds);
  const who = names(node.name);
  return node.kind === 'locket' ? nodeVerbs(node, who, seconds) : [...nodeVerbs(node, who, seconds), ...clientVerbs(node, who)];
}

/** So many of a node's messages can be picked one by one. */
const MESSAGES_MAX = 6;

/** The next messages of a node that can still be lost or delayed, with words that tell them apart. */
export function messagesOf({ messages }: SimulationTimeline, name: string, fromMs: number, names: Names): { message: SimulationMessage; words: string }[] {
  const next = messages.filter(({ from, to, sentMs, fate }) => (from === name || to === name) && sentMs >= fromMs && fate === 'arrives');
  return next.slice(0, MESSAGES_MAX).map((message) => ({ message, words: `${nameOf({ kind: 'message', message }, names)} at ${seconds(message.sentMs)}` }));
}

function rowVerbs(key: string, seconds: number): Verb[] {
  return [
    act({ do: 'delete-row', key }, `delete the lock ${key}`),
    act({ do: 'put-row', key, owner: 'operator', ttl: `${seconds}s` }, `claim ${key} for ${seconds} s`),
  ];
}

function nodeVerbs({ name, kind, status }: SimulationNode, who: string, seconds: number): Verb[] {
  if (status === 'down') return [act({ do: 'start', node: name }, `start ${who}`)];
  const freezing =
    status === 'paused'
      ? act({ do: 'resume', node: name }, `wake ${who}`)
      : act({ do: 'pause', node: name, for: `${seconds}s` }, `freeze ${who} for ${seconds} s`);
  return [
    freezing,
    act({ do: 'crash', node: name }, `crash ${who}`),
    act({ do: 'restart', node: name }, `restart ${who}`),
    act({ do: kind === 'locket' ? 'drain' : 'stop', node: name }, `stop ${who}`),
  ];
}

function clientVerbs({ name, retryIntervalMs, key, status }: SimulationNode, who: string): Verb[] {
  if (status === 'down') return [];
  const byHand: Verb[] =
    retryIntervalMs !== null
      ? []
      : [
          act({ do: 'lock', node: name }, `make ${who} lock ${key ?? ''}`),
          act({ do: 'release', node: name }, `make ${who} release ${key ?? ''}`),
        ];
  return [
    act({ do: 'cut', from: name, to: 'locket' }, `cut ${who} off from Locket`),
    act({ do: 'heal', from: name, to: 'locket' }, `connect ${who} with Locket again`),
    act({ do: 'disconnect', node: name }, `break the connection of ${who}`),
    act({ do: 'lose-messages', from: name, to: 'locket', count: 1 }, `lose the next call of ${who}`),
    ...byHand,
  ];
}

function databaseVerbs({ name, status }: SimulationNode, seconds: number): Verb[] {
  if (status === 'down') return [act({ do: 'start', node: name }, 'start the database')];
  return [
    act({ do: 'stall', for: `${seconds}s` }, `stall the database for ${seconds} s`),
    act({ do: 'fail-over', lostCommits: 1 }, 'fail over and lose the last commit'),
    act({ do: 'lose-replies', count: 1 }, 'lose the next answer, after its commit'),
    act({ do: 'crash', node: name }, 'crash the database'),
  ];
}

function messageVerbs(message: SimulationMessage, seconds: number, names: Names): Verb[] {
  const name = nameOf({ kind: 'message', message }, names);
  if (message.fate !== 'arrives') return [];
  return [
    { words: 'lose it', do: (session) => session.interfere(message, undefined, `The ${name} is lost`) },
    { words: `delay it by ${seconds} s`, do: (session) => session.interfere(message, seconds * 1000, `The ${name} takes ${seconds} s longer`) },
  ];
}

function act(action: ScenarioAct, words: string): Verb {
  return { words, do: (session) => session.act(action) };
}
