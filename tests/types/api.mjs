// What the package's entries export, as text, a report for each entry. The reports in api/ are in the repository, so
// that no change of the public API goes unseen.
//
//   node tests/types/api.mjs   writes them anew (`make api`)

import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const REPORTS = join(ROOT, 'tests/types/api');

// CommonJS, whose names import statements do not find.
const { CompilerState, Extractor, ExtractorConfig } = createRequire(import.meta.url)('@microsoft/api-extractor');

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeReports(REPORTS);

/** Writes a report for each entry with types into the folder, and returns the files' names. */
export async function writeReports(folder) {
  const scratch = join(ROOT, 'target/api');
  for (const directory of [folder, scratch]) mkdirSync(directory, { recursive: true });
  const configs = typedEntries().map((types) => configOf(types, folder, scratch));
  const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
  for (const config of configs) {
    const { succeeded } = Extractor.invoke(config, { compilerState, localBuild: true, messageCallback: onlyErrors });
    if (!succeeded) throw new Error(`no report of ${config.mainEntryPointFilePath}`);
  }
  return configs.map(({ reportFilePath }) => reportFilePath.slice(folder.length + 1));
}

/** The names that a report says are exported; a name that is a value and a type counts once. */
export function exportedNames(report) {
  const text = readFileSync(join(REPORTS, report), 'utf8');
  const declared = text.matchAll(/^export (?:default )?(?:declare )?(?:abstract )?(?:class|const|enum|function|interface|namespace|type) (\w+)/gm);
  const renamed = text.matchAll(/^export \{ (?:\w+ as )?(\w+) \}/gm);
  return [...new Set([...declared, ...renamed].map(([, name]) => name))];
}

/** The declarations that an importing program gets: './dist/node.d.ts' and so on. */
function typedEntries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'pkg/package.json'), 'utf8'));
  return Object.values(exports).map((entry) => (entry.node ?? entry).import?.types).filter(Boolean);
}

function configOf(types, folder, scratch) {
  const name = types.replace(/^\.\/dist\/|\.d\.ts$/g, '');
  const nothing = { default: { logLevel: 'none' } };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(ROOT, 'pkg/package.json'),
    configObject: {
      projectFolder: join(ROOT, 'pkg'),
      mainEntryPointFilePath: join(ROOT, 'pkg', types),
      compiler: { overrideTsconfig: { compilerOptions: compilerOptions() } },
      newlineKind: 'lf',
      apiReport: {
        enabled: true,
        // Types that are not exported by name, but that exported ones are made of. Other entries are made of this one's.
        includeForgottenExports: name === 'types',
        reportFileName: `${name.replaceAll('/', '-')}.api.md`,
        reportFolder: folder,
        reportTempFolder: scratch,
      },
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
