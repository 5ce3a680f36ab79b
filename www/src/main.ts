// Puts the page up, once the package is there.

import { mount } from 'svelte';

import App from './App.svelte';
import { moduleLoaded } from './core/module.js';
import './tokens.css';
import './page.css';

const target = document.getElementById('app');
if (target !== null) {
  moduleLoaded.then(
    () => mount(App, { target }),
    (error: unknown) => (target.textContent = `This page could not load its simulator: ${String(error)}`),
  );
}
