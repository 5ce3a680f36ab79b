// The page as markup, for those who have no script yet, or none at all. Runs when the page is built.

import { render } from 'svelte/server';

import App from './App.svelte';
import { firstRun } from './story/runs.js';
import WithoutScript from './story/WithoutScript.svelte';

/** The page as it is before anything moves. */
export function firstPicture(): string {
  return render(App, { props: { hash: '', search: '' } }).body;
}

/** The first beat as a still, and the sentences of all. */
export function withoutScript(): string {
  return render(WithoutScript, { props: { run: firstRun } }).body;
}
