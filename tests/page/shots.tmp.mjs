import { startPage } from './support/page.mjs';
const site = await startPage();
for (const [name, hash] of [['diagram','#story=holder-paused-longer-than-its-lease&t=25000'],['map','#view=map'],['crash','#story=all-locket-processes-restart&t=14000']])
  for (const width of [360,768,1024,1440,2560]) for (const colorScheme of (process.env.SCHEMES??'light').split(',')) {
    if (process.env.ONLY && !process.env.ONLY.split(',').includes(`${name}-${width}`)) continue;
    const page = await site.open('?still'+hash, { viewport: { width, height: width<700?844:1000 }, colorScheme, runs: true, forcedColors: process.env.FORCED ? 'active' : 'none' });
    await page.waitForTimeout(name==='map'?6000:2500);
    await page.screenshot({ path: `/tmp/s-${name}-${width}-${colorScheme}.png` });
    await page.done();
  }
await site.close();
