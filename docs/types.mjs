// Makes TypeScript types of the JSON Schemas that Rust writes of its types: one description of each shape. The files stand beside
// those that import them, and are not in git.
//
//   node docs/types.mjs   (through `make build`)

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path/posix';
import { pathToFileURL } from 'node:url';

import { compile } from 'json-schema-to-typescript';
import { format } from 'prettier';

import { exampleText } from './example.mjs';
import { allowances, faultOptions } from './question-lists.mjs';

const read = (name) => JSON.parse(readFileSync(new URL(`../target/schemas/${name}.json`, import.meta.url), 'utf8'));

export const SCENARIO_SCHEMA = read('scenario.schema');
const { Profile, ...DEFINITIONS } = { Scenario: SCENARIO_SCHEMA, ...SCENARIO_SCHEMA.$defs };
const { FaultCommits, FaultCount, FaultDowntime, FaultLength, Faults, Property, QuestionStorage } = read('question.schema').$defs;
const SIMULATIONS = read('simulation.schema').$defs;
const CONSTANTS = read('constants');
const ANSWERS = read('answer.schema').$defs;
const { Advice, Exploration, LongestSchedule, MinimizedRun, RunQuestion, SafetyMargin } = ANSWERS;
/** The faults of a node whose length a safety margin finds. */
const MARGIN_FAULTS = ANSWERS.SafetyMarginFault.oneOf.map((fault) => fault.const);
/** The members of an answer that are `null` without a counterexample. */
const FOUND = ['story', 'scenario', 'timeMs', 'twoOwnersMs', 'longest'];
/** What JavaScript adds to a scenario's JSON. */
const LINK = { link: ['string', 'A link to that moment: see `Simulation.fromLink`.'] };

/** The types that each file declares, in the order of a reader, and lists of what they name. */
const FILES = {
  'src/js/base/constants.ts': { constants: CONSTANTS },
  'src/js/base/runner-name.ts': {
    types: picked(DEFINITIONS, 'RunnerName', 'RunnerRule', 'RunnerLease', 'RunnerWait', 'RunnerTimeout'),
    lists: {
      'RUNNERS: readonly RunnerName[]': DEFINITIONS.RunnerName.oneOf.map((runner) => runner.const),
      'RULE_MEMBERS: readonly (readonly [path: string, names: readonly string[], takes: string])[]': read('rule-members'),
    },
  },
  'src/js/check/answer-value.ts': {
    types: {
      ...picked(ANSWERS, 'Verdict', 'WhyNotAny', 'WhyUnknown'),
      ExplorationReport: part(Exploration, 'The members of every answer.', (name) => ![...FOUND, 'verdict', 'because'].includes(name)),
      Violation: withMembers(present(part(Exploration, 'A counterexample.', (name) => FOUND.includes(name)), FOUND.slice(0, -1)), {
        verdict: ["'unsafe'", 'The verdict.'],
        because: ['null', 'The verdict is known.'],
        ...LINK,
      }),
      ...picked(ANSWERS, 'Story', 'StoryLine', 'StoryRange'),
      LongestSchedule: withMembers(LongestSchedule, LINK),
      Coverage: ANSWERS.Coverage,
    },
  },
  'src/js/check/advice-value.ts': {
    types: {
      Advice: withMembers(Advice, { text: ['string', 'The advice as text for people.'] }),
      SafeSettings: withMembers(ANSWERS.SafeSettings, { runner: ['RunnerName | RunnerRule', 'The runner: its name, or its rule.'] }),
      ...picked(ANSWERS, 'SettingsCost', 'MapCell', 'Survival', 'SurvivingSettings'),
    },
  },
  'src/js/check/run-value.ts': {
    types: {
      SafetyMargin: withMembers(SafetyMargin, { text: ['string', 'A bar for each moment, and a summary.'] }),
      ...picked(ANSWERS, 'SafetyMarginFault', 'SafetyMarginMoment', 'SafetyMarginUnavoidable'),
      RunQuestion: withMembers(RunQuestion, {
        bounds: ['Bounds', 'Its bounds.'],
        question: ['Question', 'The question, for `explore` and `advise`.'],
      }),
      FaultKind: withMembers(ANSWERS.FaultKind, { name: ['keyof Faults', 'Its name in a question.'] }),
      Outside: ANSWERS.Outside,
      MinimizedRun: withMembers(MinimizedRun, { link: ['string', 'A link to the end of the scenario: see `Simulation.fromLink`.'] }),
    },
    lists: { 'MARGIN_FAULTS: readonly SafetyMarginFault[]': MARGIN_FAULTS },
  },
  'src/js/check/faults-value.ts': {
    types: { Faults, FaultCount, FaultLength, FaultDowntime, FaultCommits },
    lists: { 'FAULTS: readonly (keyof Faults)[]': Object.keys(Faults.properties) },
  },
  'src/js/check/property-value.ts': {
    types: { Property },
    lists: { "PROPERTIES: Readonly<Record<Property['is'], 'may-allow' | 'must-allow' | 'takes-nothing'>>": allowances(Property) },
  },
  'cli/constants.ts': { constants: CONSTANTS.filter(({ name }) => name.endsWith('_SEARCHED_MAX')) },
  'cli/question-options.ts': {
    lists: {
      "FAULT_OPTIONS: readonly { field: string; takes: 'commits' | 'count' | 'downtime' | 'length'; meaning: string }[]": faultOptions(Faults),
      // A property of the user's own takes a function, so it is for programs.
      'PROPERTIES: readonly string[]': Object.keys(allowances(Property)).filter((name) => name !== 'own'),
      'MARGIN_FAULTS: readonly string[]': MARGIN_FAULTS,
      'GUARDS: readonly string[]': QuestionStorage.properties.guard.oneOf.map((guard) => guard.const),
      'RUNNERS: readonly string[]': DEFINITIONS.RunnerName.oneOf.map((runner) => runner.const),
    },
  },
  'src/js/client/row-value.ts': { types: { Row: SIMULATIONS.Row } },
  'src/js/server/profile-value.ts': { types: { Profile: chosen(Profile) } },
  'src/js/simulation/branch.ts': { types: picked(SIMULATIONS, 'SimulationPlace', 'SimulationBranch') },
  'src/js/simulation/run-value.ts': { types: picked(SIMULATIONS, 'ScenarioRun', 'ScenarioEvent', 'EventKind', 'RunnerEventKind') },
  'src/js/simulation/scenario-value.ts': {
    types: Object.fromEntries(Object.entries(DEFINITIONS).filter(([name]) => /^(Scenario|Share)/.test(name))),
  },
  'src/js/simulation/state.ts': { types: picked(SIMULATIONS, 'SimulationNode', 'SimulationPending', 'SimulationState') },
  'src/js/simulation/timeline.ts': {
    types: {
      SimulationTimeline: withMembers(SIMULATIONS.SimulationTimeline, { events: ['ScenarioEvent[]', 'The events, in order.'] }),
      ...picked(SIMULATIONS, 'SimulationSpan', 'SimulationMessage'),
    },
  },
};

/** The types that are written by hand: they are more than a shape, or do not cross as JSON. */
const BY_HAND = {
  Bounds: 'src/js/check/question.ts',
  Duration: 'src/js/base/duration.ts',
  ProfileChoice: 'src/js/server/profile.ts',
  Question: 'src/js/check/question.ts',
  VisibleState: 'src/js/check/visible-states.ts',
};

/** The TypeScript types of texts that have a form, or come from a function. */
const TEXTS = { Share: '`${number}%`', VisibleStates: '(state: VisibleState) => boolean' };

async function typesFile(file, { types = {}, lists = {}, constants = [] }) {
  const declared = await Promise.all(Object.entries(types).map(([name, schema]) => declaration(name, schema)));
  const values = await Promise.all(Object.entries(lists).map(([name, value]) => formatted(`export const ${name} = ${JSON.stringify(value)};`)));
  const numbers = constants.map(({ name, value, meaning }) => `/** ${meaning} */\nexport const ${name} = ${value.toLocaleString('en').replaceAll(',', '_')};\n`);
  const text = [...declared, ...values, ...numbers].join('\n');
  const others = Object.fromEntries(Object.entries(FILES).flatMap(([path, it]) => Object.keys(it.types ?? {}).map((name) => [name, path])));
  const code = text.replaceAll(/\/\*.*?\*\//gs, '');
  const used = Object.entries({ ...BY_HAND, ...others }).filter(([name, path]) => path !== file && new RegExp(`\\b${name}\\b`).test(code));
  const imports = [...new Set(used.map(([, path]) => path))].map((path) => {
    const names = used.filter(([, from]) => from === path).map(([name]) => name);
    return `import type { ${names.join(', ')} } from '${importPath(file, path)}';\n`;
  });
  const head = '// Made of Rust types by `make build`; do not edit.\n';
  return [head, imports.join(''), text].filter((part) => part !== '').join('\n');
}

function importPath(from, to) {
  const path = relative(dirname(from), to).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

const STYLE = { printWidth: 100, singleQuote: true };
const formatted = (text) => format(text, { ...STYLE, parser: 'typescript' });

async function declaration(name, schema) {
  const { title, $defs, ...rest } = schema;
  const shape = TEXTS[name] ? { description: rest.description, tsType: TEXTS[name] } : rest;
  const text = await compile(typed(shape), name, {
    additionalProperties: false,
    bannerComment: '',
    style: STYLE,
  });
  const example = name === 'Scenario' ? EXAMPLE_LINES : '';
  return text.replace(/\n \*\/\nexport/, `${example}\n */\nexport`).replaceAll(/\/\*\*\n\s*\* ([^\n]*)\n\s*\*\//g, '/** $1 */');
}

const EXAMPLE_LINES = `
 *
 * @example
 * \`\`\`ts
 * const run = runScenario(${literal(exampleText()).replaceAll('\n', '\n * ')} satisfies Scenario);
 * \`\`\``;

/** JSON as TypeScript is written. */
function literal(json) {
  return json.replaceAll(/"(\w+)":/g, '$1:').replaceAll('"', "'");
}

/** A profile with all its switches. */
function chosen({ properties: { extends: _, ...switches }, ...rest }) {
  const description = 'The switches in which the published documents and the shipped Locket differ.';
  return { ...rest, description, properties: switches, required: Object.keys(switches) };
}

/** A shape with members that JavaScript adds to the JSON. */
function withMembers({ properties, required, ...rest }, members) {
  const added = Object.entries(members).map(([name, [tsType, description]]) => [name, { tsType, description }]);
  return { ...rest, properties: { ...properties, ...Object.fromEntries(added) }, required: [...required, ...Object.keys(members)] };
}

/** Some of many shapes, in this order. */
function picked(schemas, ...names) {
  return Object.fromEntries(names.map((name) => [name, schemas[name]]));
}

/** Some members of a shape. */
function part({ properties, required, ...rest }, description, isOf) {
  const members = Object.fromEntries(Object.entries(properties).filter(([name]) => isOf(name)));
  return { ...rest, description, properties: members, required: required.filter(isOf) };
}

/** A shape in which these members are not `null`. */
function present({ properties, ...rest }, names) {
  const without = ({ type, anyOf, ...member }) => ({ ...member, ...(Array.isArray(type) && { type: type.find((it) => it !== 'null') }), ...anyOf?.find((it) => it.type !== 'null') });
  const members = Object.entries(properties).map(([name, member]) => [name, names.includes(name) ? { ...without(member), description: member.description } : member]);
  return { ...rest, properties: Object.fromEntries(members) };
}

/** A schema as the compiler of types wants it: references by name, and no rules that no type can say. */
function typed(schema) {
  if (typeof schema !== 'object') return schema;
  const { $ref, if: _if, then: _then, else: _else, dependentRequired, unevaluatedProperties, propertyNames, minItems, maxItems, ...rest } = schema;
  if (rest.anyOf?.every((choice) => Object.keys(choice).join() === 'required')) delete rest.anyOf;
  if (rest.description !== undefined) rest.description = wrapped(documentation(schema));
  if ($ref !== undefined) return { ...rest, tsType: nameOf($ref) === 'VisibleStates' ? TEXTS.VisibleStates : nameOf($ref) };
  if (rest.oneOf) rest.oneOf = rest.oneOf.map(withMeaningInside);
  for (const list of ['oneOf', 'anyOf', 'allOf']) if (rest[list]) rest[list] = rest[list].map(typed);
  if (rest.items) {
    const { description: _, ...items } = rest.items;
    rest.items = typed(items);
  }
  if (rest.properties) rest.properties = Object.fromEntries(Object.entries(rest.properties).map(([name, member]) => [name, typed(member)]));
  return rest;
}

const nameOf = ($ref) => $ref.split('/').pop();

/** Moves the description of a union's shape to its discriminant, since the compiler of types drops the former. */
function withMeaningInside({ description, ...shape }) {
  const [name, constant] = Object.entries(shape.properties ?? {}).find(([, member]) => member.const !== undefined) ?? [];
  if (name === undefined || constant.description !== undefined) return { description, ...shape };
  return { ...shape, properties: { ...shape.properties, [name]: { ...constant, description } } };
}

/** The description of a member, its default and the meaning of each of its values. */
function documentation({ description, default: given, oneOf = [] }) {
  const byDefault = GOES_WITHOUT_SAYING.has(given) ? '' : ` Default: \`${given}\`.`;
  const values = oneOf.filter((choice) => choice.const !== undefined && choice.description !== undefined);
  return [`${description}${byDefault}`, values.map((value) => `* \`${value.const}\`: ${value.description}`).join('\n')].filter(Boolean).join('\n\n');
}

/** Defaults that no reader needs to see. */
export const GOES_WITHOUT_SAYING = new Set([undefined, false, '', 0, '0s', '0%']);

/** Lines of at most 96 characters; the rest of a list's item stands below its text. */
function wrapped(text) {
  const lines = text.split('\n').map((line) => line.replaceAll(/(.{1,92})(?: |$)/g, (_, part, at) => `${at > 0 ? (line.startsWith('* ') ? '\n  ' : '\n') : ''}${part}`));
  return lines.join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [file, content] of Object.entries(FILES)) writeFileSync(new URL(`../${file}`, import.meta.url), await typesFile(file, content));
}
