import { type BacktestReport, SIDES } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { AREA, at, type Scale } from './plot.ts';

/** Where BLOCK begins now: a line for each side, its score above it, on the outer side of the other's. */
export function drawThresholds(sweep: BacktestReport['sweep'], x: Scale): readonly Markup[] {
  return SIDES.flatMap((side) => {
    const threshold = sweep[side].threshold;
    const other = sweep[side === 'base' ? 'candidate' : 'base'].threshold;
    if (threshold === null) return [];
    const place = at(x(threshold));
    const anchor = other === null || other === threshold ? 'middle' : threshold < other ? 'end' : 'start';
    const isNamed = other !== threshold || side === 'candidate';
    return [
      html`
        <line class="from ${side}" x1="${place}" x2="${place}" y1="${AREA.top}" y2="${AREA.bottom}"/>
        ${isNamed && html`<text class="value ${side}" x="${place}" y="${AREA.top - 4}" text-anchor="${anchor}">${threshold}</text>`}`,
    ];
  });
}
