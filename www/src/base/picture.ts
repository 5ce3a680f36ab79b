// The parts of a picture. The package has them for this page alone, and does not export them: all other files of the page take
// them from here.

export * from '../../../pkg/dist/picture-parts.js';
