// Bundlers that both pages and programs for Node are made with.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import webpack from 'webpack';

/** What is bundled, as main.mjs. */
export const ENTRY = "import { program } from './program.mjs';\nprogram().then(console.log);\n";

/** Bundles main.mjs of a project into its folder dist. */
export async function withWebpack(folder, { target, filename }) {
  const output = { path: join(folder, 'dist'), filename };
  const compiler = webpack({ context: folder, mode: 'production', target, entry: './main.mjs', output, performance: { hints: false } });
  const stats = await new Promise((done, failed) => compiler.run((error, result) => (error ? failed(error) : done(result))));
  await new Promise((done) => compiler.close(done));
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
}

/** The packages that a project needs for it. */
export const ROLLUP = { rollup: '4.68.7', '@rollup/plugin-node-resolve': '16.0.3' };

/** The same with the project's own Rollup. */
export async function withRollup(folder, resolution, filename) {
  const { resolve } = createRequire(join(folder, 'main.mjs'));
  const [{ rollup }, { nodeResolve }] = await Promise.all(Object.keys(ROLLUP).map((name) => import(pathToFileURL(resolve(name)).href).then((module) => module.default ?? module)));
  const bundle = await rollup({ input: join(folder, 'main.mjs'), external: /^node:/, plugins: [nodeResolve(resolution)] });
  await bundle.write({ dir: join(folder, 'dist'), entryFileNames: filename, format: 'es' });
}
