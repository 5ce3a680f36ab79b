// Feeds a regular expression the texts that are worst for those which backtrack: long runs of what it may repeat, and
// then what it cannot match.

import { parentPort } from 'node:worker_threads';

const LENGTH = 100_000;

parentPort.on('message', ({ source, flags }) => {
  for (const text of worstTexts(source)) text.replace(new RegExp(source, flags), '');
  parentPort.postMessage('done');
});

function* worstTexts(source) {
  const [opening] = /^[\w<>=!@#%&;:,"'` -]*/.exec(source.replace(/^\^?(?:\(\?:)?/, '').replaceAll('\\', ''));
  const characters = [...new Set([...source.replace(/\\[a-z]/gi, ''), 'a', '0', ' ', '\t', '\n', '\u00e9', '\u2028'])];
  for (const prefix of new Set(['', opening])) {
    for (const one of characters) yield `${prefix}${one.repeat(LENGTH)}\0!`;
  }
  // Two that follow each other: each for itself may be harmless.
  for (const one of characters) {
    for (const other of characters) yield `${(one + other).repeat(LENGTH / 20)}\0!`;
  }
}
