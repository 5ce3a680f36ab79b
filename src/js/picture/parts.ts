// The parts of a picture, for the page alone: it draws its diagram with the same functions, and its first view needs no module. The
// package does not carry this file.

export { clock, length, seconds } from '../base/times.js';
export { fileOf, fileWords, hasFile, TILE, tilesOf } from './file.js';
export { headlineOf, type Outcome, outcomeOf, runnersOf } from './headline.js';
export { colourIndexes, EDGE, type Lane, type Lanes, layOut, type LayOutOptions, needsServers } from './lanes.js';
export { type Line, linesOf, nearest } from './message-marks.js';
export { clientsOf, type Names, namesOf } from './names.js';
export type { Layer, Paint, SceneInput } from './layer.js';
export { ticksOf } from './ticks.js';
export { groundOf, type Label, type Scene, sceneOf } from './scene.js';
export { type PicturedRun, type PictureOptions, runPicture } from './svg.js';
export { type Write, type WritePace, writesOf } from './writes.js';
