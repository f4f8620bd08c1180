import type { Side } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { AREA } from './plot.ts';

/** A place of a curve that is pointed out, by a form and a score beside it. */
export interface Mark {
  readonly side: Side;
  readonly form: 'circle' | 'diamond';
  readonly x: number;
  readonly y: number;
  readonly score: number;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** How far around a mark nothing may be written, and how much room a score takes. */
const REACH = 7;
const DIGIT = 8;
const LETTER = 14;

/** Where a score may stand, the most natural place first; of these the first that nothing else takes. */
const PLACES: readonly (readonly [dx: number, dy: number])[] = [
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 2],
  [-1, -2],
  [1, -2],
  [-1, 2],
  [2, 0],
  [-2, 0],
];

/** Marks of one place and score, of either form, are named once. */
export function drawMarks(marks: readonly Mark[]): readonly Markup[] {
  const taken: Box[] = marks.map(({ x, y }) => around(x, y, REACH, REACH));
  const named = marks.filter(
    (mark, index) =>
      !marks.slice(0, index).some(({ side, x, y }) => side === mark.side && x === mark.x && y === mark.y),
  );
  const scores = named.map((mark) => {
    const box = boxFor(mark, taken);
    taken.push(box);
    return html`<text class="value ${mark.side}" x="${middle(box.left, box.right)}" y="${box.bottom - 3}" text-anchor="middle">${mark.score}</text>`;
  });
  return [...marks.map(drawMark), ...scores];
}

function boxFor({ x, y, score }: Mark, taken: readonly Box[]): Box {
  const width = String(score).length * DIGIT;
  const boxes = PLACES.map(([dx, dy]) =>
    around(x + dx * (REACH + width / 2), y + dy * LETTER, width / 2, LETTER / 2),
  ).filter(
    ({ left, right, top, bottom }) =>
      left > AREA.left && right < AREA.right + 12 && top > 0 && bottom < AREA.bottom,
  );
  const free = boxes.find((box) => !taken.some((other) => overlap(box, other)));
  return free ?? boxes[0] ?? around(x, y - 2 * REACH, width / 2, LETTER / 2);
}

function drawMark({ side, form, x, y }: Mark): Markup {
  return form === 'circle'
    ? html`<circle class="mark ${side}" cx="${x}" cy="${y}" r="4.5"/>`
    : html`<path class="mark ${side}" d="M${x} ${y}m0 -7l7 7l-7 7l-7 -7z"/>`;
}

function around(x: number, y: number, across: number, up: number): Box {
  return { left: x - across, right: x + across, top: y - up, bottom: y + up };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function middle(left: number, right: number): number {
  return Math.round((left + right) * 5) / 10;
}
