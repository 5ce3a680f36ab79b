// A run as a picture: the holder of each lock, the belief of each client, and the messages, over
// time. This entry has no module. The page draws its diagram with the same functions.

export { clock, length, seconds } from './times.js';
export { fileOf, fileWords, hasFile, isHarm, TILE, tilesOf } from './picture/file.js';
export { headlineOf, type Outcome, outcomeOf, runnersOf } from './picture/headline.js';
export { colourIndexes, EDGE, type Lane, type Lanes, layOut, type LayOutOptions, needsServers } from './picture/lanes.js';
export { type Line, linesOf, nearest } from './picture/message-marks.js';
export { clientsOf, type Names, namesOf } from './picture/names.js';
export type { Layer, Paint, SceneInput } from './picture/layer.js';
export { ticksOf } from './picture/ticks.js';
export { groundOf, type Label, type Scene, sceneOf } from './picture/scene.js';
export { type PicturedRun, type PictureOptions, runPicture } from './picture/svg.js';
export { type Write, type WritePace, writesOf } from './picture/writes.js';
