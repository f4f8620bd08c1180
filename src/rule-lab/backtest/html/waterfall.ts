import { scaleLinear } from 'd3-scale';
import { signed } from '../../../lib/statistics.ts';
import type { LedgerEntry } from '../../../rules/decision.ts';
import { html, type Markup } from './markup.ts';
import { at, drawing } from './plot.ts';

const WIDTH = 360;
const ROW = 18;
const NAMES = 176;
/** Characters of a name that fit beside the bars; the table has it whole. */
const NAME_LENGTH = 30;

interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A score as it comes about: each entry with points moves it from where the one before left it. */
export function drawWaterfall(id: string, title: string, ledger: readonly LedgerEntry[]): Markup {
  const steps = stepsOf(ledger);
  const score = steps.at(-1)?.to ?? 0;
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const scale = scaleLinear([Math.min(0, ...ends), Math.max(100, ...ends)], [NAMES + 8, WIDTH - 34]);
  const bottom = (steps.length + 1) * ROW;
  const bar = ({ name, from, to }: Step, row: number, kind: string) => {
    const y = row * ROW;
    return html`
      <text class="tick" x="${NAMES}" y="${y + 13}" text-anchor="end">${shorten(name)}</text>
      <rect class="step ${kind}" x="${at(scale(Math.min(from, to)))}" width="${at(Math.max(1, Math.abs(scale(to) - scale(from))))}" y="${y + 3}" height="${ROW - 6}"/>
      <text class="tick" x="${at(scale(Math.max(from, to)) + 4)}" y="${y + 13}">${kind === 'sum' ? to : signed(to - from)}</text>
      ${kind !== 'sum' && html`<line class="axis" x1="${at(scale(to))}" x2="${at(scale(to))}" y1="${y + ROW - 3}" y2="${y + ROW + 3}"/>`}`;
  };
  return drawing({
    id,
    title,
    description: [
      ...steps.map(({ name, from, to }) => `${name} ${signed(to - from)}`),
      `score ${score}`,
    ].join(', '),
    width: WIDTH,
    height: bottom + 6,
    content: html`
      <line class="grid" x1="${at(scale(0))}" x2="${at(scale(0))}" y1="0" y2="${bottom}"/>
      <line class="grid" x1="${at(scale(100))}" x2="${at(scale(100))}" y1="0" y2="${bottom}"/>
      ${steps.map((step, row) => bar(step, row, step.to < step.from ? 'less' : 'more'))}
      ${bar({ name: 'score', from: 0, to: score }, steps.length, 'sum')}`,
  });
}

function stepsOf(ledger: readonly LedgerEntry[]): readonly Step[] {
  let sum = 0;
  return ledger
    .filter(({ points }) => points !== 0)
    .map((entry) => {
      const from = sum;
      sum += entry.points;
      return { name: nameOf(entry), from, to: sum };
    });
}

function nameOf(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'absorbed':
      return `${entry.id} absorbed`;
    case 'cap':
      return `cap of ${entry.group}`;
    case 'bound':
      return `kept within ${entry.min} to ${entry.max}`;
    default:
      return 'id' in entry && entry.id !== null ? entry.id : entry.kind;
  }
}

function shorten(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH - 1)}…`;
}
