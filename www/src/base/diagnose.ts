// The parts of a diagnosis, which the page shows one by one. The package has them for this page alone.

export * from '../../../pkg/dist/diagnose-parts.js';
