// The check of the prose hits what it is made for, wherever it stands, and nothing else.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { javascript, styles, svelte } from '../../docs/prose/passages/javascript.mjs';
import { markdown, printed } from '../../docs/prose/passages/markdown.mjs';
import { rust } from '../../docs/prose/passages/rust.mjs';
import { AVERAGE_SENTENCE, LONGEST_SENTENCE, averageSentence, findings, unexplained, unknownNames } from '../../docs/prose/rules.mjs';
import { WORDS } from '../../docs/prose/words.mjs';

/** Where a sentence can stand, by name: a text with it on the third line. */
const PLACES = {
  'a page': (sentence) => markdown('page.md', `# Locks\n\nA lock expires. ${sentence}\n`),
  'an item of a list': (sentence) => markdown('page.md', `# Locks\n\n* ${sentence}\n`),
  'a cell of a table': (sentence) => markdown('page.md', `| lock |\n|---|\n| ${sentence} |\n`),
  'printed help': (sentence) => printed('page.md', `\`\`\`text\nUsage\n  --ttl <time>  ${sentence}\n\`\`\`\n`),
  'a comment of TypeScript': (sentence) => javascript('a.ts', `const a = 1;\n\n// ${sentence}\nconst b = 2;\n`),
  'a doc comment of TypeScript': (sentence) => javascript('a.ts', `/**\n * The lock.\n * ${sentence}\n */\nexport type A = string;\n`),
  'a text of TypeScript': (sentence) => javascript('a.ts', `\n\nthrow new Error(${JSON.stringify(`lock bbs: ${sentence}`)});\n`),
  'a template of TypeScript': (sentence) => javascript('a.ts', `\n\nthrow new Error(\`lock bbs: \${key} ${sentence}\`);\n`),
  'a comment of Rust': (sentence) => rust('a.rs', `//! Rows.\n\n// ${sentence}\nfn a() {}\n`),
  'a doc comment of Rust': (sentence) => rust('a.rs', `//! Rows.\n\n/// ${sentence}\nfn a() {}\n`),
  'a text of Rust': (sentence) => rust('a.rs', `fn a<'a>() {\n\n    panic!("lock bbs: ${sentence}");\n}\n`),
  'a paragraph of the page': (sentence) => svelte('A.svelte', `<script lang="ts">\n</script>\n<p>A lock: ${sentence}</p>\n`),
  'a label of the page': (sentence) => svelte('A.svelte', `<script lang="ts">\n</script>\n<p title="a lock: ${sentence}"></p>\n`),
  'an expression of the page': (sentence) => svelte('A.svelte', `<script lang="ts">\n</script>\n<p>{a ? ${JSON.stringify(`lock bbs: ${sentence}`)} : ''}</p>\n`),
  'a script of the page': (sentence) => svelte('A.svelte', `<script lang="ts">\n\n  // ${sentence}\n</script>\n`),
  'a style sheet': (sentence) => styles('a.css', `a {}\n\n/* ${sentence} */\n`),
};

const found = (passages) => passages.flatMap((passage) => [...findings(passage)]);

for (const [place, plant] of Object.entries(PLACES)) {
  describe(`in ${place}`, () => {
    for (const { found: sentences, say } of WORDS) {
      for (const sentence of sentences) {
        test(`"${sentence}" is found`, () => {
          const hit = found(plant(sentence)).find((finding) => finding.say === say);
          assert.deepEqual(hit && [hit.line], [3]);
        });
      }
    }
  });
}

const PLAIN = [
  'Locket deletes the row when its TTL ends.',
  'Indeed, at least two clients ask for the lock.',
  'The process is paused, and its clock is frozen.',
  'One of the clients holds the lock for 15 s.',
  'What does a pause of 20 s do?',
  'What if the owner is paused?',
  'The report has 1 fault and 21 faults.',
  'The least recently used entry is deleted first.',
  'cell-1 locks its key, and Locket 0.1 locks another.',
];
for (const sentence of PLAIN) {
  test(`"${sentence}" is plain`, () => assert.deepEqual(found(markdown('page.md', `${sentence}\n`)), []));
}

test('a clause in place of a subject is found', () => {
  const [finding] = found(markdown('page.md', 'A lock expires. What a client did not renew expires.\n'));
  assert.match(finding.words, /^What a client/);
});

test(`a sentence of more than ${LONGEST_SENTENCE} words is found`, () => {
  const words = (count) => found(markdown('page.md', `${Array(count).fill('lock').join(' ')}.\n`));
  assert.deepEqual([words(LONGEST_SENTENCE).length, words(LONGEST_SENTENCE + 1).length], [0, 1]);
});

test('a sentence ends with a full stop, not with a number or a name', () => {
  const passages = markdown('page.md', 'Locket 1.5 waits 16.5 s in `a.b`. It polls.\n');
  assert.equal(averageSentence(passages), 4.5);
});

test('the average is that of sentences, not of cells and headings', () => {
  const passages = markdown('page.md', '# One\n\nA lock expires.\n\n| a |\n|---|\n| b |\n');
  assert.equal(averageSentence(passages), 3);
  assert.ok(AVERAGE_SENTENCE >= 3);
});

test('code is not read, in pages, comments and texts', () => {
  assert.deepEqual(found(markdown('page.md', 'A `mistake` of the [page](what-nobody-reads.md).\n\n```js\n// nobody\n```\n')), []);
  assert.deepEqual(found(javascript('a.ts', '// A `deed` of {@link mistake}.\nconst mistake = 1;\n')), []);
  assert.deepEqual(found(rust('a.rs', '/// A [`deed`].\n///\n/// ```\n/// let mistake = 1;\n/// ```\nfn deed() {}\n')), []);
});

describe('a term of the README', () => {
  const lines = (text) => [...unexplained('README.md', markdown('README.md', text), ['TTL'])].map(({ line }) => line);
  test('is found where it is used before it is explained', () => assert.deepEqual(lines('A lock.\n\nIts TTL. A **TTL** is a time.\n'), [3]));
  test('may be used where it is explained', () => assert.deepEqual(lines('A lock has a **TTL**, a time. The TTL ends.\n'), []));
});

test('a name of an observation that no page explains is found', () => {
  const [comment] = rust('a.rs', '/// It dies of it (B18), as T60 says.\nfn a() {}\n');
  assert.deepEqual([...unknownNames(comment, new Set(['B18']))].map(({ words }) => words), ['T60']);
});

test('a row of columns is a passage of its own', () => {
  const row = (name) => `  ${name}   ${Array(LONGEST_SENTENCE - 1).fill('lock').join(' ')}\n`;
  const comment = `/*\n${row('a')}${row('b')}*/\n`;
  assert.deepEqual(found(javascript('a.ts', comment)), []);
  assert.equal(found(javascript('a.ts', comment.replaceAll('   ', ' '))).length, 1);
});

test('a link in a comment makes no column', () => {
  const words = (count) => Array(count).fill('lock').join(' ');
  const half = Math.ceil(LONGEST_SENTENCE / 2);
  const comment = `/// ${words(half)}\n/// [lock](Self::lock) ${words(half)}.\nfn a() {}\n`;
  assert.equal(found(rust('a.rs', comment)).length, 1);
});

test('the name of a file in a link is no prose', () => {
  assert.deepEqual(found(markdown('page.md', 'See [lock-that-nobody-renews.json](lock-that-nobody-renews.json).\n')), []);
});
