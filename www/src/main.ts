// Puts the page up: takes the first picture over where it is the right one, and draws anew for any other address.

import { hydrate, mount } from 'svelte';

import App from './App.svelte';
import './tokens.css';
import './page.css';

const { hash, search } = location;
const target = document.getElementById('app');
if (target !== null) {
  const options = { target, props: { hash, search } };
  if (hash + search === '') {
    hydrate(App, options);
  } else {
    target.replaceChildren();
    mount(App, options);
    delete document.documentElement.dataset['place'];
  }
}
