// The contrast of every text with what really stands behind it, measured on pixels: patterns, bars and the veil of the future count.

/** How much of a text's box may have less contrast than it needs: the edge of a frame, a line that passes. */
const SHARE_MAX = 0.1;

/** The texts of a page that are hard to read where they stand, as sentences. */
export async function hardToRead(page) {
  // What a change of size asks for is drawn with the frame after the next.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
  const before = await page.evaluate(visibleTexts);
  const asItIs = before.some(({ isForced }) => isForced) ? await picture(page) : undefined;
  const ground = await groundOf(page);
  // A search says how far it is: a text that changed meanwhile is not the one in the picture.
  const after = new Set((await page.evaluate(visibleTexts)).map((text) => JSON.stringify(text)));
  const texts = before.filter((text) => after.has(JSON.stringify(text)));
  return await page.evaluate(measured, { texts, asItIs, ground, shareMax: SHARE_MAX });
}

/** The page without the letters of its texts, and without the line of the cursor, which passes over everything. */
async function groundOf(page) {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { -webkit-text-fill-color: transparent !important } svg text { fill-opacity: 0 !important } .cursor { visibility: hidden }');
    globalThis.withoutLetters = sheet;
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  const png = await picture(page);
  await page.evaluate(() => (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== globalThis.withoutLetters)));
  return png;
}

/** What is in view, as base64 of a PNG that is compressed in haste: it is looked at once. */
async function picture(page) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  await session.detach();
  return data;
}

/** Each piece of text that can be seen: where it is, its colour, and the contrast that it needs. */
function visibleTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { parentElement: parent, data } = node;
    if (data.trim() === '' || parent.closest('script, style, option, title, :disabled, .visually-hidden') !== null || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(parent);
    const isDrawn = parent instanceof SVGElement || style.pointerEvents === 'none';
    let opacity = parent instanceof SVGElement ? Number(style.fillOpacity) : 1;
    for (let element = parent; element !== null; element = element.parentElement) opacity *= Number(getComputedStyle(element).opacity);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, width, height } of range.getClientRects()) {
      const [x, y] = [left + width / 2, top + height / 2];
      const isInView = left >= 0 && top >= 0 && left + width <= innerWidth && top + height <= innerHeight && width > 2;
      // What is scrolled away or lies under a menu is not read. Drawings let the pointer through.
      const isMet = (atY) => {
        const above = document.elementFromPoint(x, atY);
        return above !== null && (parent.contains(above) || (isDrawn && above.closest('dialog, [popover]') === parent.closest('dialog, [popover]')));
      };
      if (isInView && [top + 1, y, top + height - 1].every(isMet)) found.push({ said: data.trim(), left, top, width, height, opacity, colour: parent instanceof SVGElement ? style.fill : style.color, needs: isLarge ? 3 : 4.5, isForced: matchMedia('(forced-colors: active)').matches && !(parent instanceof SVGElement) });
    }
  }
  return found;
}

/** @param asItIs is needed for texts whose colours the browser forces */
async function measured({ texts, asItIs, ground: empty, shareMax }) {
  const drawn = async (png) => {
    const letters = atob(png);
    // A call for each letter would take longer than the rest.
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context;
  };
  const withLetters = asItIs && (await drawn(asItIs));
  const withoutLetters = await drawn(empty);
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const probe = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  // Letters fill the middle of their line.
  const pixels = (context, { left, top, width, height }) => context.getImageData(Math.floor(left), Math.round(top + height * 0.2), Math.max(Math.ceil(width), 1), Math.max(Math.round(height * 0.6), 1)).data;
  const keyOf = (data, at) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
  const colourOf = (key) => [key >> 16, (key >> 8) & 255, key & 255];
  const contrastOf = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  return texts.flatMap((text) => {
    const { said, left, top, opacity, colour, needs, isForced } = text;
    if (isForced) {
      // The browser has its own colours for letters and what is behind them: the two have to differ.
      const data = pixels(withLetters, text);
      const different = new Set(Array.from({ length: data.length / 4 }, (_, at) => keyOf(data, 4 * at)));
      const all = [...different].map(colourOf).sort((a, b) => light(a) - light(b));
      const contrast = contrastOf(all[0], all.at(-1));
      return contrast < needs ? [`“${said}” at ${Math.round(left)}, ${Math.round(top)} has a contrast of ${contrast.toFixed(1)}`] : [];
    }
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const ink = [...probe.getImageData(0, 0, 1, 1).data];
    const strength = opacity * (ink[3] / 255);
    const data = pixels(withoutLetters, text);
    const contrastOn = (ground) => contrastOf(ground, ground.map((part, index) => ink[index] * strength + part * (1 - strength)));
    // Most of what is behind a text has one colour.
    const contrasts = new Map();
    let [poor, worst] = [0, 21];
    for (let at = 0; at < data.length; at += 4) {
      const key = keyOf(data, at);
      if (!contrasts.has(key)) contrasts.set(key, contrastOn(colourOf(key)));
      const contrast = contrasts.get(key);
      if (contrast < needs) poor += 1;
      worst = Math.min(worst, contrast);
    }
    const share = poor / (data.length / 4);
    return share > shareMax ? [`“${said}” at ${Math.round(left)}, ${Math.round(top)}: ${(share * 100).toFixed(0)} % of it under ${needs}, down to ${worst.toFixed(1)}`] : [];
  });
}
