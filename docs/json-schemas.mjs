// The JSON Schema of the output of commands with --json, made of the TypeScript types of cli/json-output.ts, and the page
// that lists the outputs with the exit codes.

import { isDeepStrictEqual } from 'node:util';

import { schemasOf } from './diagnosis-schema.mjs';

/** The outputs with a schema, by command, option or kind: the type, and an example of the command. */
export const JSON_COMMANDS = {
  advise: { type: 'AdviseJson', example: 'advise --latency 1s --fault pause=5s,1 --json' },
  diagnose: { type: 'DiagnoseJson', example: 'diagnose bbs.log locket.log --json' },
  'diagnose-advice': { type: 'DiagnoseAdviceJson', title: 'locket-wasm diagnose --advise --json, the second line', example: 'diagnose *.log --advise --json' },
  doctor: { type: 'DoctorJson', example: 'doctor --url http://localhost:8891 --json' },
  explore: { type: 'ExploreJson', example: 'explore --runner upstream safe --latency 6s --json' },
  link: { type: 'LinkJson', title: 'locket-wasm run LINK --json', example: 'run LINK --json' },
  map: { type: 'MapJson', title: 'locket-wasm explore --map --json', example: 'explore --map pause --ttl 15s --retry-interval 5s --json' },
  margin: { type: 'MarginJson', title: 'locket-wasm run --margin --json', example: 'run first-look --margin --json' },
  minimize: { type: 'MinimizeJson', title: 'locket-wasm run --minimize --json', example: 'run broken.json --minimize --json' },
  run: { type: 'RunJson', example: 'run first-look --json' },
  shard: { type: 'ShardJson', title: 'The report of a shard, by --output', example: 'run pause.json --seeds 1000 --shard 1/4 --output shard-1.json' },
  seeds: { type: 'SeedsJson', title: 'locket-wasm run --seeds --json', example: 'run first-look --seeds 10 --json' },
  stories: { type: 'StoriesJson', example: 'stories --json' },
};

/** The text of `locket-wasm/output.schema.json`: a definition for each output, and the shapes that they are made of. It needs the types of the built package. */
export function outputSchema() {
  const generator = schemasOf('cli/json-output.ts', 'cli/tsconfig.json');
  const shapes = {};
  const outputs = Object.entries(JSON_COMMANDS).map(([command, { type, title = `locket-wasm ${command} --json` }]) => {
    const { $schema: _, definitions, ...root } = generator.createSchema(type);
    for (const [name, shape] of Object.entries(definitions)) {
      if (!isDeepStrictEqual(shapes[name] ?? shape, shape)) throw new Error(`cli/json-output.ts: two types have the name ${name}; give one of them another`);
      shapes[name] = shape;
    }
    return [command, { title, ...root }];
  });
  const $defs = { ...Object.fromEntries(outputs), ...reachable(outputs, shapes) };
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Output of locket-wasm', $defs }, referring)}\n`;
}

/** The page that lists the schemas. The exit codes come from the help of the program. */
export function jsonPage(help) {
  const codes = help.slice(help.indexOf('Exit codes:')).split('\n').slice(1).join('\n');
  const rows = [...codes.matchAll(/^ {2}(\d+) +(.*(?:\n {6}.*)*)/gm)].map(([, code, meaning]) => `| ${code} | ${meaning.replace(/\s+/g, ' ')} |`);
  const commands = Object.entries(JSON_COMMANDS).map(([command, { example }]) => `| \`${command}\` | \`locket-wasm ${example}\` |`);
  return `
# JSON output and exit codes

\`\`\`sh
npx locket-wasm stories --json
\`\`\`

With \`--json\` a command prints one JSON value. \`explore\` and \`run\` print a line for each runner
or run. Each shape has a [JSON Schema](https://json-schema.org), draft 2020-12, in
\`locket-wasm/output.schema.json\`: that of \`run\` is \`#/$defs/run\`. A member that ends in \`Ms\` is a
number of milliseconds.

| output | example |
|---|---|
${commands.join('\n')}

\`shard\` is the file that \`run\` and \`explore\` write with \`--shard\` and \`--output\`. \`merge\` prints the shape of the merged work. The other commands with \`--json\` print members of
the wire: \`locks\`, \`presences\` and \`watch\` as [cfdot](../do/cfdot.md) does.

## Exit codes

All commands have the same exit codes. The help of a command says when it uses them.

| code | meaning |
|---|---|
${rows.join('\n')}

Next: [the command line](command-line.md), or [use it in CI](../do/ci.md).
`;
}

/** The definitions that the outputs need. A question is input, and has a schema of its own. */
function reachable(outputs, definitions) {
  const all = { ...definitions, Question: { type: 'object', description: 'The question about the settings, as `explore` takes it.' } };
  const found = new Map();
  const open = [outputs];
  for (const schema of open) {
    for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) {
      const key = name in all ? name : decodeURIComponent(name);
      if (found.has(key)) continue;
      found.set(key, all[key]);
      open.push(all[key]);
    }
  }
  return Object.fromEntries([...found].map(([name, schema]) => [plain(name), schema]));
}

/** Names of generic types have characters that a reference may not have. */
const plain = (name) => decodeURIComponent(name).replace(/[^\w.-]+/g, '_');
const referring = (key, value) => (key === '$ref' ? `#/$defs/${plain(value.slice('#/definitions/'.length))}` : value);
