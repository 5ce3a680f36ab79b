// `locket-wasm stories`: lists the shipped scenarios, and prints one to save and change.

import type { Command } from 'commander';
import { stories } from 'locket-wasm/stories';

import { columns } from '../src/js/base/text.js';
import { EXIT_USAGE, Failure, newCommand } from './command.js';
import { reporting } from './printer.js';
import { type Line, type Report, toned } from './report.js';
import { storyHint } from './scenario-file.js';

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
    .action(reporting(storiesReport));
}

function storiesReport(story: string | undefined): Report {
  return story === undefined ? { text: list, json: [all()] } : { files: [{ file: '-', text: storyNamed(story) }] };
}

function storyNamed(name: string): string {
  const text = Object.hasOwn(stories, name) ? stories[name] : undefined;
  if (text === undefined) throw new Failure(EXIT_USAGE, `unknown story ${name}; ${storyHint(name)}`);
  return text;
}

/** A story without its events. */
export interface ShippedStory {
  name: string;
  title: string;
  description: string;
}

function all(): ShippedStory[] {
  return Object.entries(stories).map(([name, text]) => {
    const { name: title, description = '' } = JSON.parse(text) as { name: string; description?: string };
    return { name, title, description };
  });
}

/** A line each. On a terminal a line is cut where it would wrap. */
function list(width: number): Line[] {
  const lines = columns(all().map(({ name, title, description }) => [name, firstSentence(description) || title]), Infinity);
  return lines.map((line) => {
    const [name = ''] = line.slice(0, width).split(' ');
    return [toned('bold', name), line.slice(name.length, width)];
  });
}

function firstSentence(text: string): string {
  return text.match(/^.*?\.(?= |$)/)?.[0] ?? text;
}
