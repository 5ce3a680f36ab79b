// Builds the npm package into pkg/. Run through `make build`, which knows what is out of date.
//
//   node src/js/build.mjs glue      Rust → target/glue/: locket.wasm and the JavaScript glue around it; and target/schemas/
//   node src/js/build.mjs package   target/glue/ and src/js/*.ts → pkg/
//
// There are four wasm modules from the same sources, each with glue of its own: `simulator` and `messages` for `locket-wasm`,
// `checker` for `locket-wasm/check`, `client` for `locket-wasm/client`. Each serves every platform; what differs is how an entry
// gets at its bytes: node.ts reads the file, web.ts imports '#carried', a file with the bytes inlined and compressed. Entries
// import their glue as '#glue', and that of the module which has messages as '#messages': in `/client` it is the same. A module is
// compiled when it is used first, not when it is imported.

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rewriteGlue } from './glue/rewrite.mjs';
import { manifestOf } from './manifest.mjs';
import { notices, sbom } from './notices.mjs';
import { writeModuleBytes } from './module-bytes.mjs';
import { npmReadme, writePages } from './readme.mjs';

/**
 * How the modules are compiled: the level of the rules, and up to which size functions are inlined. Measured: with 25 instead of 50 a
 * search takes seven hundredths longer, which keeps the checker within its budget, but a simulation half as long again. A client drives
 * one runner, and messages need little of the rules. Those with one size stand together: another one compiles all crates again.
 */
const COMPILED = {
  simulator: { level: 2, inline: 50 },
  checker: { level: 2, inline: 25 },
  messages: { level: '"z"', inline: 25 },
  client: { level: '"z"', inline: 25 },
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Each module by its file's name in the package, which is the crate's feature, with the directory of its glue. */
const MODULES = Object.fromEntries(Object.entries(COMPILED).map(([name, how]) => [name, { ...how, name, directory: `target/glue/${name}` }]));
const PARTS = ['picture', 'diagnose'];
/** What a module has to wait for gets the core that the module leaves. */
const BEHIND = ['nice', '-n', '19'];
const STAGES = { glue: buildGlue, package: buildPackage };

// The command line imports the package by its name, as its users do; in the package the entries are beside it.
const entriesBeside = ({ exports }) => ({
  name: 'entries-beside',
  setup(build) {
    build.onResolve({ filter: /^locket-wasm(\/|$)/ }, ({ path }) => {
      const entry = exports[path.replace('locket-wasm', '.')];
      return { path: (entry.node ?? entry).import.default.replace('./dist/', './'), external: true };
    });
  },
});

// An entry on top of another one imports that as users do, instead of carrying a second copy of it: from the file beside it, or
// by the package's name, and with it the entry for the platform.
const entriesByName = (names) => ({
  name: 'entries-by-name',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const entry = Object.keys(names).find((name) => join(resolveDir, path) === join(ROOT, `src/js/${name}.js`));
      return entry && { path: names[entry], external: true };
    });
  },
});

const entriesExternal = (extension, ...entries) => entriesByName(Object.fromEntries(entries.map((entry) => [entry, `./${entry}.${extension}`])));

// The errors are one file for all entries: a class is the same whichever entry it comes from, and a program that wants
// nothing else gets nothing else.
const errorsBeside = (format) => entriesByName({ 'base/errors': `./errors.${format === 'cjs' ? 'cjs' : 'js'}` });

// A file that carries a module stays a file of its own, so that bundlers make a chunk of it.
const carriedBeside = ({ name }) => ({
  name: 'carried-beside',
  setup(build) {
    build.onResolve({ filter: /^#module\// }, ({ path }) => ({ path, external: true }));
    build.onResolve({ filter: /^#carried$/ }, () => ({ path: `./${name}-module.js`, external: true }));
    build.onResolve({ filter: /^#carried-messages$/ }, () => ({ path: `./${MODULES.messages.name}-module.js`, external: true }));
  },
});

// Each glue has a copy of the carrier's files; an entry with two of them needs one.
const snippetsOnce = ({ directory }) => ({
  name: 'snippets-once',
  setup(build) {
    build.onResolve({ filter: /^\.\/snippets\// }, ({ path }) => ({ path: join(ROOT, directory, path) }));
  },
});

/** The declarations of entries whose types have their names in /types. */
const OF_TYPES = ['', 'check-', 'client-'].flatMap((entry) => [`${entry}node.d.ts`, `${entry}web.d.ts`]).concat('testing.d.ts');

process.chdir(ROOT);
process.env.PATH = [join(ROOT, '.tools/bin'), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
const stage = STAGES[process.argv[2]];
if (!stage) throw new Error(`usage: node src/js/build.mjs ${Object.keys(STAGES).join('|')}`);
await stage();

/**
 * A module is linked on one core. So what is missing for the glue is installed beside the first module: the npm packages, one of
 * which has wasm-opt, and the glue generator. So are the schemas written. The glue of a module is made while the next one is
 * compiled; the smallest goes last.
 */
async function buildGlue() {
  rmSync('target/glue', { recursive: true, force: true });
  const tools = start(...BEHIND, '.ci/setup', 'npm', 'glue');
  // Optimized, as tests have it, the crate would take four times as long to compile.
  const unoptimized = ['--config', 'profile.dev.package.locket-sim.opt-level=0'];
  const schemas = start(...BEHIND, 'cargo', 'run', '-p', 'locket-sim', '--features', 'schema', '--bin', 'write-schemas', ...unoptimized);
  const flags = rustFlags();
  const made = [];
  for (const module of Object.values(MODULES)) {
    await compileModule(module, flags);
    made.push(tools.then(() => makeGlue(module)));
  }
  await Promise.all([schemas, ...made]);
  // `make` takes this file as the sign that all modules are there.
  writeFileSync('target/glue/.built', '');
}

async function compileModule({ name, directory, level, inline }, flags) {
  const options = ['--no-default-features', '--features', name, '--config', `profile.wasm.package.locket-sim.opt-level=${level}`];
  process.env.CARGO_ENCODED_RUSTFLAGS = [`-Cllvm-args=-inline-threshold=${inline}`, ...flags].join('\x1f');
  const target = 'wasm32-unknown-unknown';
  await start('cargo', 'build', '--profile', 'wasm', '-p', 'locket-wasm', '--lib', '--target', target, '--target-dir', 'target', ...options);
  // The next module takes its place.
  cpSync(`target/${target}/wasm/locket_wasm.wasm`, `${directory}/compiled.wasm`);
}

async function makeGlue({ directory }) {
  run('locket-glue', `${directory}/compiled.wasm`, directory);
  rewriteGlue(directory);
  // Never --all-features: the module itself says which features it may use.
  // Measured: as fast as with -O3, since the compiler has optimized the hot code, and a two-hundredth smaller than in one pass
  // alone. Nothing lives below the stack.
  const how = ['--merge-similar-functions', '-Oz', '-Oz', '--low-memory-unused', '--strip-producers', '--strip-target-features'];
  await start('wasm-opt', ...how, `${directory}/locket_bg.wasm`, '-o', `${directory}/locket.wasm`);
  const bytes = readFileSync(`${directory}/locket.wasm`);
  // A twentieth smaller than zlib's best. It takes seconds; with its 15 blocks and one iteration it would be a two-hundredth larger.
  const { gzipAsync } = await import('@gfx/zopfli');
  const compressed = await gzipAsync(bytes, { numiterations: 8, blocksplittingmax: 100 });
  writeFileSync(`${directory}/locket.wasm.gz`, compressed);
  console.log(`${directory}/locket.wasm: ${bytes.length} bytes, ${compressed.length} gzipped`);
}

/** Texts of panics name source files: by crate, so that the module is the same wherever it is built. */
function rustFlags() {
  const given = process.env.CARGO_ENCODED_RUSTFLAGS ?? (process.env.RUSTFLAGS ?? '').split(' ').filter(Boolean).join('\x1f');
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1'], { maxBuffer: 2 ** 28 });
  const foreign = JSON.parse(metadata).packages.filter(({ source }) => source !== null);
  const registries = new Set(foreign.map(({ manifest_path: manifest }) => join(manifest, '../../')));
  const remapped = [...[...registries].sort(), ROOT].map((directory) => `--remap-path-prefix=${directory}=`);
  return [given, ...remapped].filter(Boolean);
}

async function buildPackage() {
  // With npm packages, which the first stage installs.
  const [{ diagnosisSchema }, { outputSchema }] = await Promise.all([import('../../docs/diagnosis-schema.mjs'), import('../../docs/json-schemas.mjs')]);
  rmSync('pkg', { recursive: true, force: true });
  mkdirSync('pkg/dist', { recursive: true });
  for (const [name, { directory }] of Object.entries(MODULES)) cpSync(`${directory}/locket.wasm`, `pkg/dist/${name}.wasm`);
  writeFileSync('pkg/dist/scenario.schema.json', JSON.stringify(JSON.parse(readFileSync('target/schemas/scenario.schema.json', 'utf8'))));
  writeFileSync('pkg/dist/diagnosis.schema.json', diagnosisSchema());
  cpSync('proto/locket.proto', 'pkg/dist/locket.proto');
  writeFileSync('pkg/THIRD-PARTY.txt', notices());
  writeStories();
  const manifest = packageManifest();
  await bundleEntries(manifest.version);
  for (const name of Object.keys(MODULES)) writeModuleBytes(name);
  for (const [file, text] of [['types.js', 'export {};\n'], ['types.cjs', "'use strict';\n"]]) writeFileSync(`pkg/dist/${file}`, text);
  emitDeclarations();
  // The page reads the parts.
  keepDeclarations([...JSON.stringify(manifest).match(/[\w./-]+\.d\.c?ts/g), ...PARTS.map((parts) => `dist/${parts}-parts.d.ts`)]);
  cpSync('LICENSE', 'pkg/LICENSE');
  writeFileSync('pkg/README.md', npmReadme(readFileSync('README.md', 'utf8'), manifest.repository));
  writePages();
  writeFileSync('pkg/sbom.cdx.json', `${JSON.stringify(sbom(manifest), null, 1)}\n`);
  linkPackage();
  // `make` takes this file as the sign that the package is complete, and deletes it if the build fails after that.
  writeFileSync('pkg/package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  // It is made of types that import the package.
  writeFileSync('pkg/dist/output.schema.json', outputSchema());
}

/** The shipped scenarios' texts by name, in one file. */
function writeStories() {
  const files = readdirSync('sim/scenarios').filter((file) => file.endsWith('.json') && file !== 'digests.json').sort();
  const texts = files.map((file) => [file.replace(/\.json$/, ''), readFileSync(`sim/scenarios/${file}`, 'utf8')]);
  writeFileSync('target/stories.json', JSON.stringify(Object.fromEntries(texts)));
}

async function bundleEntries(version) {
  const [esbuild, { parse }] = await Promise.all([import('esbuild'), import('@babel/parser')]);
  const bundle = async (entry, outfile, { module = MODULES.simulator, messages = MODULES.messages, plugins = [], ...options }) => {
    const { metafile } = await esbuild.build({
      entryPoints: [`src/js/${entry}`],
      outfile: `pkg/dist/${outfile}`,
      alias: {
        // The second name is for what only the checker's module has.
        '#glue': join(ROOT, module.directory, 'locket.js'),
        ...(module === MODULES.checker && { '#checker': join(ROOT, module.directory, 'locket.js') }),
        '#messages': join(ROOT, messages.directory, 'locket.js'),
        '#stories': join(ROOT, 'target/stories.json'),
        '#wasm': join(ROOT, module.directory, 'locket.wasm.gz'),
        // Its modules, of which unused ones are left out; for Node it has CommonJS, which comes whole.
        yaml: join(ROOT, 'node_modules/yaml/browser/dist/index.js'),
      },
      bundle: true,
      plugins: [carriedBeside(module), snippetsOnce(module), errorsBeside(options.format), ...plugins],
      legalComments: 'none',
      loader: { '.gz': 'binary' },
      logLevel: 'warning',
      metafile: true,
      // A module that awaits while it is loaded cannot be required, and delays every module that imports it.
      supported: { 'top-level-await': false },
      ...options,
    });
    const text = withoutDocs(readFileSync(`pkg/dist/${outfile}`, 'utf8'), parse);
    writeFileSync(`pkg/dist/${outfile}`, text);
    // The glue's own loader fetches this file. In a bundle it would make other bundlers look for it in vain.
    if (text.includes('locket_bg.wasm')) throw new Error(`${outfile}: import initSync from '#glue', not its default`);
    return metafile;
  };
  // An entry that only re-exports two other files: a program that needs an error class gets that file alone.
  const bundleApart = async (entry, outfile, options) => {
    const core = outfile.replace('.js', '-core.js');
    const { outputs } = await bundle(entry, core, options);
    const errors = await import(new URL(`file://${ROOT}/pkg/dist/errors.js`));
    const names = outputs[`pkg/dist/${core}`].exports;
    const line = (isError, file) => `export { ${names.filter((name) => name in errors === isError).join(', ')} } from './${file}';\n`;
    writeFileSync(`pkg/dist/${outfile}`, line(true, 'errors.js') + line(false, core));
  };
  // Lines stay lines, so that a stack in Node says where.
  const node = { platform: 'node', target: 'node20', minifySyntax: true, inject: ['src/js/base/node-globals.ts'] };

  // A bundled dependency comes with its licence, so that the package depends on no other.
  const licence = (name) => readdirSync(`node_modules/${name}`).find((file) => /^license$/i.test(file));
  const carries = (name) => `/*! Contains ${name}:\n\n${readFileSync(`node_modules/${name}/${licence(name)}`, 'utf8').trim()} */\n`;
  const carriesFflate = { banner: { js: carries('fflate') } };
  const importMetaUrl = "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;";
  const required = { ...node, format: 'cjs', define: { 'import.meta.url': 'importMetaUrl' }, banner: { js: importMetaUrl } };
  const web = {
    ...carriesFflate,
    platform: 'browser',
    format: 'esm',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    // Not the identifiers: names of classes and functions stay readable in errors.
    minifySyntax: true,
    minifyWhitespace: true,
  };

  await bundle('base/errors.ts', 'errors.js', { ...web, platform: 'neutral' });
  await bundle('base/errors.ts', 'errors.cjs', { ...web, platform: 'neutral', format: 'cjs' });
  await bundle('node.ts', 'node.js', { ...node, format: 'esm', ...carriesFflate });
  await bundle('node.ts', 'node.cjs', { ...required, banner: { js: carries('fflate') + importMetaUrl } });
  await bundleApart('web.ts', 'web.js', web);
  for (const module of Object.values(MODULES)) await bundle('base/carried.ts', `${module.name}-module.js`, { ...web, module });
  const { checker, client } = MODULES;
  const ofClient = { module: client, messages: client };
  await bundle('client-node.ts', 'client-node.js', { ...node, ...ofClient, format: 'esm' });
  await bundle('client-node.ts', 'client-node.cjs', { ...required, ...ofClient });
  await bundleApart('client-web.ts', 'client-web.js', { ...web, ...ofClient });
  // Runs are the main entry's: a simulation that it made is one here, too.
  const onMain = (entry) => ({ module: checker, plugins: [entriesByName({ node: entry })] });
  await bundle('check-node.ts', 'check-node.js', { ...node, format: 'esm', ...carriesFflate, ...onMain('./node.js') });
  await bundle('check-node.ts', 'check-node.cjs', { ...required, banner: { js: carries('fflate') + importMetaUrl }, ...onMain('./node.cjs') });
  await bundle('check-web.ts', 'check-web.js', { ...web, ...onMain('./web.js') });

  // The argument parser is CommonJS.
  const commandLine = {
    minifyWhitespace: true,
    banner: {
      js: `${carries('commander')}${carries('leven')}${carries('yaml')}import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`,
    },
  };
  const small = { platform: 'neutral', target: 'es2022', minifySyntax: true, minifyWhitespace: true };
  const onTop = [
    await bundle('serve.ts', 'serve.js', { ...node, format: 'esm', plugins: [entriesExternal('js', 'node')] }),
    await bundle('serve.ts', 'serve.cjs', { ...required, plugins: [entriesExternal('cjs', 'node')] }),
    await bundle('grpc.ts', 'grpc.js', { ...node, format: 'esm' }),
    await bundle('grpc.ts', 'grpc.cjs', required),
    await bundle('grpc-web.ts', 'grpc-web.js', { ...small, format: 'esm' }),
    await bundle('serve-web.ts', 'serve-web.js', { ...small, format: 'esm' }),
    await bundle('../../cli/main.ts', 'cli.js', {
      ...node,
      format: 'esm',
      ...commandLine,
      define: { VERSION: JSON.stringify(version) },
      plugins: [entriesBeside(JSON.parse(readFileSync('src/js/package.json', 'utf8')))],
    }),
    await bundle('diagnose.ts', 'diagnose.js', { ...small, format: 'esm' }),
    await bundle('diagnose.ts', 'diagnose.cjs', { ...small, format: 'cjs' }),
    await bundle('picture.ts', 'picture.js', { ...small, format: 'esm' }),
    await bundle('picture.ts', 'picture.cjs', { ...small, format: 'cjs' }),
    // The page's first view needs the times alone.
    await bundle('base/times.ts', 'base/times.js', { ...small, format: 'esm' }),
    await bundle('picture/parts.ts', 'picture-parts.js', { ...small, format: 'esm', plugins: [entriesExternal('js', 'base/times')] }),
    await bundle('diagnose/parts.ts', 'diagnose-parts.js', { ...small, format: 'esm' }),
    await bundle('stories.ts', 'stories.js', { platform: 'neutral', target: 'es2022', format: 'esm' }),
    await bundle('stories.ts', 'stories.cjs', { platform: 'neutral', target: 'es2022', format: 'cjs' }),
  ];
  const neutral = { platform: 'neutral', target: 'es2022', minifySyntax: true, external: ['vitest', '@jest/globals'] };
  for (const [format, extension] of [['esm', 'js'], ['cjs', 'cjs']]) {
    const core = entriesByName({ node: 'locket-wasm' });
    const onCore = entriesByName({ node: 'locket-wasm', testing: 'locket-wasm/testing' });
    onTop.push(await bundle('testing.ts', `testing.${extension}`, { ...neutral, format, plugins: [core] }));
    // vitest itself cannot be required, but TypeScript takes the imports of many test files for that.
    for (const entry of ['jest', 'vitest']) {
      onTop.push(await bundle(`testing/${entry}.ts`, `testing/${entry}.${extension}`, { ...neutral, format, plugins: [onCore] }));
    }
  }
  for (const { inputs, outputs } of onTop) {
    if (Object.keys(inputs).some((file) => /^target\/glue\/\w+\/locket\.js$/.test(file))) {
      throw new Error(`${Object.keys(outputs)}: import what needs the module from './node.js'`);
    }
  }
  chmodSync('pkg/dist/cli.js', 0o755);
}

// esbuild keeps the comments inside of classes. Users read them in the declarations; here they would weigh 30 KB in the tarball.
function withoutDocs(text, parse) {
  const docs = parse(text, { sourceType: 'unambiguous' }).comments.filter(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'));
  const ends = [0, ...docs.map(({ end }) => end)];
  return ends.map((end, index) => text.slice(end, docs[index]?.start)).join('');
}

// One .d.ts for each source file, and a .d.cts for require(): TypeScript needs .d.cts files to import .cjs files.
function emitDeclarations() {
  run('tsc', '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--stripInternal', '--outDir', 'pkg/dist');
  for (const file of readdirSync('pkg/dist', { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join('pkg/dist', file);
    const text = withTypes(file, withLibraries(withoutInspect(readFileSync(path, 'utf8'))));
    writeFileSync(path, text);
    if (/(from|import\()\s*["']#/.test(text)) throw new Error(`${path}: a public type mentions '#glue', which the package does not have`);
    const twin = text.replace(/(from\s*|import\()(["'])(\.\.?\/[^"']+)\.js\2/g, '$1$2$3.cjs$2');
    writeFileSync(path.replace(/\.ts$/, '.cts'), twin);
  }
  for (const parts of PARTS) writeFileSync(`pkg/dist/${parts}-parts.d.ts`, `export * from './${parts}/parts.js';\n`);
}

/** Declarations to which no entry leads say nothing to anyone, and would weigh 60 KB in the tarball. */
function keepDeclarations(entries) {
  const kept = new Set();
  const keep = (file) => {
    if (kept.has(file)) return;
    kept.add(file);
    const imported = readFileSync(file, 'utf8').matchAll(/(?:from\s*|import\s*\(?\s*)["'](\.[^"']+)\.(c?)js["']/g);
    for (const [, path, common] of imported) keep(join(dirname(file), `${path}.d.${common}ts`));
  };
  for (const entry of entries) keep(join('pkg', entry));
  const files = readdirSync('pkg/dist', { recursive: true }).map((file) => join('pkg/dist', file));
  for (const file of files) if (/\.d\.c?ts$/.test(file) && !kept.has(file)) rmSync(file);
}

/** The compiler takes the methods that consoles call for public ones, since their name is a symbol. */
function withoutInspect(text) {
  return text.replace(/^import \{ INSPECT \}.*\n/m, '').replace(/^ *\[INSPECT\].*\n/gm, '');
}

/** TypeScript names inferred types by the entries that a program knows. So an entry brings in the one that has the names of its types. */
function withTypes(file, text) {
  if (file === 'types.d.ts') return `import type {} from './inferred.js';\n${text}`;
  return OF_TYPES.includes(file) ? `import type {} from './types.js';\n${text}` : text;
}

/** `Symbol.dispose` is in no library of a target before ESNext: declarations that have it say where it comes from. */
function withLibraries(text) {
  return /Symbol\.(asyncDispose|dispose)/.test(text) ? `/// <reference lib="esnext.disposable" />\n${text}` : text;
}

// So that tests and the page import the package by its name, as users do.
function linkPackage() {
  rmSync('node_modules/locket-wasm', { force: true });
  symlinkSync('../pkg', 'node_modules/locket-wasm');
}

// The version is Cargo.toml's; src/js/package.json holds a placeholder.
function packageManifest() {
  const metadata = JSON.parse(execFileSync('cargo', ['metadata', '--no-deps', '--format-version', '1']).toString());
  const { version } = metadata.packages.find(({ name }) => name === 'locket-wasm');
  return manifestOf(JSON.parse(readFileSync('src/js/package.json', 'utf8')), version, process.env.PACKAGE_REPOSITORY);
}

function run(program, ...args) {
  try {
    execFileSync(program, args, { stdio: 'inherit' });
  } catch (error) {
    fail(program, error.status === undefined ? error.message : `ended with code ${error.status}`);
  }
}

/** The same beside other work. */
function start(program, ...args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.on('error', (error) => fail(program, error.message));
    child.on('close', (code, signal) => (code === 0 ? resolve() : fail(program, `ended with ${code === null ? signal : `code ${code}`}`)));
  });
}

// The tool has said what is wrong; a stack of this script would only hide it.
function fail(program, how) {
  console.error(`build: ${program} ${how}`);
  process.exit(1);
}
