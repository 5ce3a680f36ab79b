// Puts the page up.

import { mount } from 'svelte';

import App from './App.svelte';
import './tokens.css';
import './page.css';

const target = document.getElementById('app');
if (target !== null) mount(App, { target });
