// A diagnosis as a picture: for each key the row's owner and each client's belief over time, with uncertain ends hatched.

import { madeBy } from '../base/checks.js';
import { cut, escaped, printable } from '../base/text.js';
import type { Diagnosis, Finding, Lane, LanePart } from './model.js';
import { clockTime, type DiagnosisView, diagnosisView } from './view.js';

const WIDTH = 960;
const NAMES = 170;
const LANE = 22;
const HEAD = 26;
/** By an owner's letter; they tell apart without colours, too, since each part has its letter. */
const COLOURS = ['#4477aa', '#ee9944', '#228833', '#aa3377', '#66ccee', '#bbaa22'];

/** The picture. Nothing in it is markup but its own, whatever stands in the logs. */
export function diagnosisSvg(diagnosis: Diagnosis): string {
  return madeBy('diagnose()', 'diagnosis', diagnosis, drawn);
}

function drawn(diagnosis: Diagnosis): string {
  const view = diagnosisView(diagnosis);
  const drawing = new Drawing(view);
  drawing.text(4, 16, diagnosis.summary, 'bold');
  for (const timeline of view.keys) {
    drawing.heading(`${timeline.key} (${timeline.kind})`);
    const top = drawing.y;
    for (const lane of timeline.lanes) drawing.lane(lane);
    for (const finding of view.marks) if (finding.key === timeline.key) drawing.mark(finding, top);
  }
  drawing.axis();
  return drawing.finish();
}

class Drawing {
  readonly #parts: string[] = [];
  y = HEAD;

  constructor(readonly view: DiagnosisView) {}

  text(x: number, y: number, text: string, weight = 'normal', anchor = 'start'): void {
    this.#parts.push(`<text x="${x}" y="${y}" font-weight="${weight}" text-anchor="${anchor}">${escaped(printable(cut(text, 150)))}</text>`);
  }

  heading(text: string): void {
    this.y += HEAD;
    this.text(4, this.y - 8, text, 'bold');
  }

  lane(lane: Lane): void {
    this.text(12, this.y + 15, cut(lane.isInferred ? `${lane.name} (no log)` : lane.name, 24));
    for (const part of lane.parts) this.#part(part);
    this.y += LANE;
  }

  #part({ owner, fromMs, toMs, from, to, end }: LanePart): void {
    const letter = this.view.letters.get(owner) ?? '?';
    const colour = COLOURS[(letter.charCodeAt(0) - 65 + COLOURS.length) % COLOURS.length] as string;
    const sureFrom = Math.max(fromMs, from.latestMs ?? fromMs);
    const sureTo = Math.min(toMs, to.earliestMs ?? toMs);
    const title = `<title>${escaped(printable(`${owner}: ${clockTime(fromMs)} to ${clockTime(toMs)}, ${end}`))}</title>`;
    this.#rect(Math.min(fromMs, from.earliestMs ?? fromMs), Math.max(toMs, to.latestMs ?? toMs), `fill="${colour}" fill-opacity="0.25" stroke="${colour}" stroke-dasharray="3 2"`, title);
    if (sureTo > sureFrom) this.#rect(sureFrom, sureTo, `fill="${colour}"`, title);
    const x = this.#x(fromMs) + 4;
    if (this.#x(toMs) - x > 10) this.#parts.push(`<text x="${x}" y="${this.y + 15}" fill="#fff">${escaped(letter)}</text>`);
  }

  #rect(fromMs: number, toMs: number, style: string, title: string): void {
    const x = this.#x(fromMs);
    this.#parts.push(`<rect x="${x}" y="${this.y + 3}" width="${Math.max(1, this.#x(toMs) - x)}" height="${LANE - 6}" ${style}>${title}</rect>`);
  }

  /** Over all lanes of its key. */
  mark({ kind, fromMs, toMs, summary }: Finding, top: number): void {
    const x = this.#x(fromMs);
    const colour = kind === 'two-owners' ? '#cc3311' : '#888888';
    this.#parts.push(
      `<rect x="${x}" y="${top}" width="${Math.max(1, this.#x(toMs) - x)}" height="${this.y - top}" fill="${colour}" fill-opacity="0.2"><title>${escaped(printable(summary))}</title></rect>`,
    );
  }

  axis(): void {
    this.y += HEAD;
    this.text(NAMES, this.y - 8, clockTime(this.view.fromMs, true));
    this.text(WIDTH - 4, this.y - 8, clockTime(this.view.toMs), 'normal', 'end');
  }

  finish(): string {
    const style = 'font-family="system-ui, sans-serif" font-size="12"';
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${this.y}" width="${WIDTH}" height="${this.y}" role="img" ${style} fill="#222">
<rect width="100%" height="100%" fill="#fff"/>
${this.#parts.join('\n')}
</svg>
`;
  }

  #x(ms: number): number {
    const { fromMs, toMs } = this.view;
    const share = Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)));
    return Math.round(10 * (NAMES + share * (WIDTH - NAMES - 4))) / 10;
  }
}
