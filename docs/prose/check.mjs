// Whether the prose of this repository is plain: `make lint`.
//
//   node docs/prose/check.mjs            every tree
//   node docs/prose/check.mjs js www     these trees; trees.mjs has their names
//
// Prints the place, the words, and what to say instead; words.mjs has the table.

import { AVERAGE_SENTENCE, averageSentence, findings, unexplained, unknownNames } from './rules.mjs';
import { TREES, names as namesOfObservations } from './trees.mjs';

const observations = namesOfObservations();
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(TREES);
let found = 0;
for (const name of names) {
  if (TREES[name] === undefined) throw new Error(`no tree ${name}; trees: ${Object.keys(TREES).join(', ')}`);
  const passages = TREES[name]();
  for (const finding of passages.flatMap((passage) => [...findings(passage), ...unknownNames(passage, observations)])) report(finding);
  if (name === 'readme') for (const finding of unexplained('README.md', passages)) report(finding);
  if (name === 'readme' || name === 'docs') {
    const average = averageSentence(passages);
    console.log(`prose: ${name} has ${average.toFixed(1)} words in a sentence`);
    if (average > AVERAGE_SENTENCE) report({ file: name, line: 1, words: `${average.toFixed(1)} words in a sentence on average`, say: `at most ${AVERAGE_SENTENCE}` });
  }
}
if (found > 0) console.error(`prose: ${found} to say otherwise`);
process.exitCode = found > 0 ? 1 : 0;

function report({ file, line, words, say }) {
  found += 1;
  console.error(`${file}:${line}: "${words}": say ${say}`);
}
