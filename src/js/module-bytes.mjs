// How the package gets at the bytes of a module in Node, as `#module/NAME` of the manifest: Node reads the file beside. Bundlers set
// the condition `module` and take the bytes into the bundle, which then works from any folder.

import { writeFileSync } from 'node:fs';

/** Writes the files of a module. */
export function writeModuleBytes(name) {
  const bytes = (url) => `moduleBytes = () => readFileSync(new URL('./${name}.wasm', ${url}));\n`;
  writeFileSync(`pkg/dist/${name}-file.js`, `import { readFileSync } from 'node:fs';\n\nexport const ${bytes('import.meta.url')}`);
  writeFileSync(`pkg/dist/${name}-file.cjs`, `const { readFileSync } = require('node:fs');\n\nexports.${bytes("require('node:url').pathToFileURL(__filename)")}`);
  const inline = `import { gunzipSync } from 'node:zlib';\n\nimport { gzipped } from './${name}-module.js';\n\nexport const moduleBytes = () => gunzipSync(gzipped);\n`;
  writeFileSync(`pkg/dist/${name}-inline.js`, inline);
}
