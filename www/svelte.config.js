import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** The class of a component stands at each of its elements, so it is short. */
const cssHash = ({ css, hash }) => `s${hash(css).slice(0, 4)}`;

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, cssHash } };
