const common = { transform: {}, testEnvironment: 'node' };
module.exports = {
  projects: [
    { ...common, displayName: 'real timers', testMatch: ['**/election.test.cjs'] },
    { ...common, displayName: 'fake timers', testMatch: ['**/globally-fake.test.cjs'], fakeTimers: { enableGlobally: true } },
  ],
};
