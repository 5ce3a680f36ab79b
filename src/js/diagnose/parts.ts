// A diagnosis, and the parts of it that the page shows one by one, for the page alone: with both from one file it loads nothing twice.
// The package does not carry this file.

// oxlint-disable-next-line no-restricted-imports -- it stands on top of the entry, in one file with it
export * from '../diagnose.js';
export { printable } from '../base/text.js';
export { findingCause, findingTime } from './report.js';
export { type DiagnosisView, diagnosisView } from './view.js';
