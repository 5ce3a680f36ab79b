// The parts of a diagnosis that the page shows one by one, for the page alone. The package does not carry this file.

export { printable } from '../base/text.js';
export { findingCause, findingTime } from './report.js';
export { type DiagnosisView, diagnosisView } from './view.js';
