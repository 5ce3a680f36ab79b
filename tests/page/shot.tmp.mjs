import { startPage } from './support/page.mjs';
const [,, address, file, width='1440', height='1000', scheme='light', ...steps] = process.argv;
const site = await startPage();
const page = await site.open(address, { viewport: { width: +width, height: +height }, colorScheme: scheme, runs: true });
for (const step of steps) { await eval(`(async()=>{${step}})()`); }
await page.waitForTimeout(1500);
await page.screenshot({ path: file, fullPage: process.env.FULL === '1' });
console.log(page.problems());
await site.close();
