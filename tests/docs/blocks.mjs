// The code blocks of a page. Behind a block's language stand words for the tests, which no reader sees:
//
//   file=NAME               it is that file, for the blocks that follow
//   vitest jest node-test   it is a test for that runner
//   fails                   it ends with a failure
//   serves                  it goes on until it is ended
//   on-a-diego-vm           locket.service.cf.internal is a stand-in for Locket's own port, and cfdot's variables are set
//   output                  (text) the last block printed these lines, in this order
//   norun=REASON            it cannot run here
//
// Any other word is an error.
//
// A text whose first line is `$ COMMAND` is run: the command prints the other lines, in this order.

import { readFileSync } from 'node:fs';

const KNOWN = /^(?:(?:file|norun)=\S+|vitest|jest|node-test|fails|serves|on-a-diego-vm|output)$/;

/** `{ language, words, file, norun, command, text, line }` of each block of a page. */
export function blocksOf(path) {
  const blocks = [];
  let open;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const fence = line.match(/^( *)```(.*)$/);
    if (fence === null) {
      open?.lines.push(line.slice(open.indent));
    } else if (open === undefined) {
      const [language, ...words] = fence[2].trim().split(/\s+/);
      const unknown = words.find((word) => !KNOWN.test(word));
      if (unknown !== undefined) throw new Error(`${path}:${index + 1}: no test knows the word ${unknown} behind a block's language`);
      open = { language, words, indent: fence[1].length, line: index + 1, lines: [] };
    } else {
      const { language, words, line: at, lines } = open;
      const option = (name) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
      const command = language === 'text' && lines[0]?.startsWith('$ ') ? lines.shift().slice('$ '.length) : undefined;
      blocks.push({ language, words, file: option('file'), norun: option('norun'), command, line: at, text: `${lines.join('\n')}\n` });
      open = undefined;
    }
  }
  return blocks;
}

/** What a JavaScript block says that it prints: behind each console.log that is a line, and in the comment at its end. */
export function expectedOutput(text) {
  const lines = text.trimEnd().split('\n');
  const behind = lines.flatMap((line) => line.match(/^ *console\.log\(.*\); \/\/ (.*)$/)?.[1] ?? []);
  const end = lines.length - [...lines].reverse().findIndex((line) => !line.startsWith('// '));
  return [...behind, ...lines.slice(end).map((line) => line.slice('// '.length))];
}
