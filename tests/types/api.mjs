// What the package exports, as text: a namespace for each entry, and each declaration once. The report is in the repository, so
// that no change of the public API goes unseen.
//
//   node tests/types/api.mjs   writes it anew (`make api`)

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const REPORT = join(ROOT, 'tests/types/api.md');
/** Has the report as it is now, and what it is made of. */
const SCRATCH = join(ROOT, 'target/api');
const NAME = 'names.api.md';

// CommonJS, whose names import statements do not find.
const { Extractor, ExtractorConfig } = createRequire(import.meta.url)('@microsoft/api-extractor');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(REPORT, apiReport());

/** The text of the report. */
export function apiReport() {
  mkdirSync(SCRATCH, { recursive: true });
  const namespaces = typedEntries().map((types) => {
    const name = types.replace(/^\.\/dist\/|(-node)?\.d\.ts$/g, '').replaceAll('/', '_');
    return `import * as ${name}_entry from '../../pkg/${types.replace(/\.d\.ts$/, '.js')}';\nexport { ${name}_entry };\n`;
  });
  writeFileSync(join(SCRATCH, 'all.d.ts'), namespaces.join(''));
  const { succeeded } = Extractor.invoke(config(), { localBuild: true, messageCallback: onlyErrors });
  if (!succeeded) throw new Error('no report of the public API');
  return readFileSync(join(SCRATCH, NAME), 'utf8');
}

/** The names that the report says each entry exports; a name that is a value and a type counts once. */
export function exportedNames() {
  const namespaces = readFileSync(REPORT, 'utf8').matchAll(/^declare namespace (\w+)_entry \{\n {4}export \{\n([^}]*)\}/gm);
  return Object.fromEntries([...namespaces].map(([, entry, names]) => [entry, [...names.matchAll(/(\w+),?$/gm)].map(([, name]) => name)]));
}

/** Those of them that are interfaces and aliases. */
export function exportedTypes(entry) {
  const declared = new Set([...readFileSync(REPORT, 'utf8').matchAll(/^(?:interface|type) ([A-Za-z]+)/gm)].map(([, name]) => name));
  return exportedNames()[entry].filter((name) => declared.has(name));
}

/** The declarations that an importing program gets: './dist/node.d.ts' and so on. */
function typedEntries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'pkg/package.json'), 'utf8'));
  return Object.values(exports).map((entry) => (entry.node ?? entry).import?.types).filter(Boolean);
}

function config() {
  const nothing = { default: { logLevel: 'none' } };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(ROOT, 'pkg/package.json'),
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: join(SCRATCH, 'all.d.ts'),
      compiler: { overrideTsconfig: { compilerOptions: compilerOptions(), files: [join(SCRATCH, 'all.d.ts')] } },
      newlineKind: 'lf',
      // Types that are not exported by name, but that exported ones are made of, are in it, too.
      apiReport: { enabled: true, includeForgottenExports: true, reportFileName: NAME, reportFolder: SCRATCH, reportTempFolder: join(SCRATCH, 'temp') },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: nothing,
        tsdocMessageReporting: nothing,
      },
    },
  });
}

function compilerOptions() {
  return {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
}

// That a report was written is no news; its text is compared by who asked for it.
function onlyErrors(message) {
  message.handled = message.logLevel !== 'error';
}
