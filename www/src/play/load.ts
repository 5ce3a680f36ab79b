// The visitor's turn, which is loaded when it is asked for.

export { default as Play } from './Play.svelte';
export { readPlayed } from './acts.js';
