// The manifest of the npm package, of src/js/package.json and of what only a build knows.

/**
 * With the crates' version. With `address`, where the repository is, also with the links that npm shows and the
 * repository that it compares with a provenance. Only a release knows it: a copy of this project is somewhere else.
 */
export function manifestOf(source, version, address) {
  const manifest = { ...source, version };
  if (!address) return manifest;
  const [scheme, empty, ...names] = address.split('/');
  if (scheme !== 'https:' || empty !== '' || names.length !== 3 || !names.every(Boolean)) {
    throw new Error(`PACKAGE_REPOSITORY=${address} is no repository; write https://HOST/OWNER/NAME`);
  }
  const links = { homepage: `${address}#readme`, bugs: { url: `${address}/issues` } };
  return { ...manifest, ...links, repository: { type: 'git', url: `git+${address}.git` } };
}
