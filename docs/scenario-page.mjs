// The page scenarios.md: the JSON Schema of scenarios, a table for each kind of object.

import { exampleText } from './example.mjs';
import { GOES_WITHOUT_SAYING, SCENARIO_SCHEMA as SCHEMA } from './types.mjs';

export function scenarioPage() {
  const { $defs } = SCHEMA;
  const sections = Object.entries($defs).filter(([name, { properties }]) => properties !== undefined && name !== 'Profile');
  return `<!-- Made of the schema of scenarios by \`make docs\`; do not edit. -->

# Scenario reference

\`\`\`json
${exampleText()}
\`\`\`

${SCHEMA.description} \`locket-wasm run\` and \`runScenario\` run it. The format is JSON, and
\`locket-wasm/scenario.schema.json\` is its schema for editors. A member that is not listed
here is refused, with its line and column.

The [shipped scenarios](../../sim/scenarios/README.md) are examples of every member.

## The scenario

${membersTable(SCHEMA)}
${sections.map(([name, part]) => `## ${title(name)}\n\n${part.description}\n\n${membersTable(part)}`).join('\n')}
## Profile

${$defs.Profile.description} [The differences](differences.md) explain the switches and their values.

${membersTable($defs.Profile, kindOf)}
## Action

${$defs.ScenarioAction.description} An action has these members, and those of its \`do\`:

${membersTable(repeatedAction())}
### The actions

| \`do\` | members | meaning |
|---|---|---|
${$defs.ScenarioAct.oneOf.map((act) => `| \`${act.properties.do.const}\` | ${membersOf(act)} | ${act.properties.do.description} |`).join('\n')}

### The members of actions

${membersTable({ properties: Object.assign({}, ...$defs.ScenarioAct.oneOf.map(({ properties: { do: _, ...members } }) => members)) })}
## Values

| kind | meaning |
|---|---|
| duration | ${$defs.Duration.description} |
| share | ${$defs.Share.description} |
| timeout | ${$defs.RunnerTimeout.description} The latter: ${$defs.RunnerTimeout.anyOf[1].enum.map((it) => `\`"${it}"\``).join(', ')}. |
| latency | ${$defs.ScenarioLatency.description} Members of a range: ${inner($defs.ScenarioLatency.oneOf[1])} |

Next: [simulate an incident](../do/simulate.md), or [the command line](command-line.md).
`;
}

/** The members of every action, with those of one that is repeated. */
function repeatedAction() {
  const [once, again] = SCHEMA.$defs.ScenarioSchedule.oneOf;
  const action = { type: 'string', description: 'The action; see below.' };
  return { properties: { ...again.properties, do: action }, required: [...once.required, 'do'] };
}

const title = (name) => name.replace('Scenario', '');

function membersTable({ properties, required = [] }, kind = kindWithMeaning) {
  const rows = Object.entries(properties).map(([name, member]) => {
    const byDefault = GOES_WITHOUT_SAYING.has(member.default) ? '' : ` Default: \`${member.default}\`.`;
    return `| \`${name}\`${required.includes(name) ? ' (required)' : ''} | ${kind(member)} | ${member.description}${byDefault} |`;
  });
  return `| member | kind | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** The kind of a value; of several values, what each of them means. */
function kindWithMeaning(member) {
  const [first, ...others] = member.anyOf ?? [member];
  const values = (SCHEMA.$defs[nameOf(first)] ?? first).oneOf?.filter((choice) => choice.const !== undefined) ?? [];
  return [...values.map((value) => `\`"${value.const}"\`: ${value.description}`), ...others.map(kindOf)].join('<br>') || kindOf(member);
}

function kindOf({ $ref, const: constant, oneOf, type, items, minimum, maximum }) {
  if ($ref !== undefined) return reference(nameOf({ $ref }));
  if (constant !== undefined) return `\`"${constant}"\``;
  if (oneOf !== undefined) return oneOf.map(kindOf).join(' or ');
  if (type === 'array') return `list of ${items.$ref === undefined ? `${items.type}s` : `[${title(nameOf(items)).toLowerCase()}s](#${title(nameOf(items)).toLowerCase()})`}`;
  if (type === 'integer') return maximum >= 2 ** 32 - 1 ? `whole number from ${minimum}` : `whole number from ${minimum} to ${maximum}`;
  return type;
}

const nameOf = ({ $ref }) => $ref?.split('/').pop();

function reference(name) {
  if (name === 'RunnerTimeout') return 'timeout';
  if (name === 'ProfileChoice') return SCHEMA.$defs.ProfileChoice.oneOf.map(kindOf).join(' or ');
  const word = title(name).toLowerCase();
  return ['duration', 'latency', 'share'].includes(word) ? word : `[${word}](#${word})`;
}

function inner({ properties }) {
  return Object.entries(properties).map(([name, { description }]) => `\`${name}\`: ${description}`).join(' ');
}

/** The members that an action has beside those of all; those that it needs come first. */
function membersOf({ properties: { do: _, ...members }, required }) {
  return Object.keys(members).map((name) => `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`).join(', ') || 'none';
}
