// A run as a picture: the holder of each lock, the belief of each client, and the messages, over
// time. This entry has no module.

export { type PicturedRun, type PictureOptions, runPicture } from './picture/svg.js';
