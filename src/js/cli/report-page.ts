// The form of HTML reports: one file each, without scripts and external resources.

import { escaped } from '../base/text.js';

/** A table of texts. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${escaped(text)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${escaped(text)}</td>`).join('')}</tr>`);
  return `<table><tr>${head}</tr>\n${body.join('\n')}\n</table>`;
}

/** A page. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid #8886; padding: .2rem .6rem; text-align: left; vertical-align: top; }
svg, img { max-width: 100%; height: auto; }
pre { overflow-x: auto; overflow-wrap: anywhere; white-space: pre-wrap; }
section { border-left: .5rem solid #b80; padding-left: 1rem; }
section.safe { border-color: #284; }
section.unsafe, section.invalid { border-color: #c33; }
td.bad { background: #c334; font-weight: bold; }
td.good { background: #2844; }
td.unknown { background: #b804; }
</style>
<h1>${escaped(title)}</h1>
${body}
</html>
`;
}
