// `locket-wasm stories`: lists the shipped scenarios, and prints one to save and change.

import type { Command } from 'commander';

import { columns, printableJson } from '../base/text.js';
import { stories } from '../stories.js';
import { EXIT_USAGE, Failure, newCommand } from './command.js';
import { storyHint } from './scenario-file.js';
import { paintFor } from './terminal.js';

const DESCRIPTION = `Lists the shipped stories. A story is a scenario that shows one behaviour of
Locket or of its clients. With a name, it prints the scenario's JSON, which you
can save and change.`;

const EXAMPLES = `
A story of your own:

  locket-wasm stories holder-crashes > mine.json
  locket-wasm run mine.json

All stories about presences:

  locket-wasm stories | grep presence
`;

export function storiesCommand(): Command {
  return newCommand('stories', 'list the shipped stories, or print one')
    .description(DESCRIPTION)
    .argument('[story]', 'the name of a story, to print its scenario')
    .option('--json', 'print the list as JSON, with whole descriptions')
    .addHelpText('after', EXAMPLES)
    .action((story: string | undefined, { json }: { json?: true }) => {
      process.stdout.write(story !== undefined ? storyNamed(story) : json ? `${printableJson(all())}\n` : list());
    });
}

function storyNamed(name: string): string {
  const text = Object.hasOwn(stories, name) ? stories[name] : undefined;
  if (text === undefined) throw new Failure(EXIT_USAGE, `unknown story ${name}; ${storyHint(name)}`);
  return text;
}

/** A story without its events. */
export interface Story {
  name: string;
  title: string;
  description: string;
}

function all(): Story[] {
  return Object.entries(stories).map(([name, text]) => {
    const { name: title, description = '' } = JSON.parse(text) as { name: string; description?: string };
    return { name, title, description };
  });
}

/** A line each. On a terminal a line is cut where it would wrap. */
function list(): string {
  const paint = paintFor(process.stdout);
  const width = process.stdout.columns ?? Infinity;
  const lines = columns(all().map(({ name, title, description }) => [name, firstSentence(description) || title]), Infinity);
  return lines.map((line) => `${line.slice(0, width).replace(/^\S+/, (name) => paint('bold', name))}\n`).join('');
}

function firstSentence(text: string): string {
  return text.match(/^.*?\.(?= |$)/)?.[0] ?? text;
}
