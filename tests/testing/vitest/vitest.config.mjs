export default {
  // Nothing is written beside the tests.
  cacheDir: '../../../target/vitest',
  test: { include: ['*.test.ts'] },
};
