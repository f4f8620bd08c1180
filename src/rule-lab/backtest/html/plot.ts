import { type ScaleContinuousNumeric, scaleLinear, scaleSqrt } from 'd3-scale';
import { type Content, html, type Markup } from './markup.ts';

export type Scale = ScaleContinuousNumeric<number, number>;

/** All plots are drawn at one size and scaled by the page, so that their letters are equally large everywhere. */
const WIDTH = 360;
const HEIGHT = 256;
const MARGIN = { top: 26, right: 14, bottom: 40, left: 50 };

export const AREA = {
  left: MARGIN.left,
  right: WIDTH - MARGIN.right,
  top: MARGIN.top,
  bottom: HEIGHT - MARGIN.bottom,
};

export interface Axis {
  readonly scale: Scale;
  readonly name: string;
  readonly ticks: readonly number[];
  readonly describe: (tick: number) => string;
}

export interface Plot {
  /** Unique in the page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What it shows, for whoever does not see it. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: Content;
}

export function across(from: number, to: number): Scale {
  return scaleLinear([from, to], [AREA.left, AREA.right]);
}

export function upwards(from: number, to: number): Scale {
  return scaleLinear([from, to], [AREA.bottom, AREA.top]);
}

/** Small shares stay visible beside large ones. */
export function acrossByRoot(to: number): Scale {
  return scaleSqrt([0, to], [AREA.left, AREA.right]);
}

/** Small shares stay visible beside large ones. */
export function upwardsByRoot(to: number): Scale {
  return scaleSqrt([0, to], [AREA.bottom, AREA.top]);
}

/** Axes, a grid and the marks; marks outside of the axes are cut off. */
export function drawPlot({ id, title, description, x, y, marks }: Plot): Markup {
  const content = html`
    ${y.ticks.map(
      (tick) => html`
        <line class="grid" x1="${AREA.left}" x2="${AREA.right}" y1="${at(y.scale(tick))}" y2="${at(y.scale(tick))}"/>
        <text class="tick" x="${AREA.left - 6}" y="${at(y.scale(tick) + 4)}" text-anchor="end">${y.describe(tick)}</text>`,
    )}
    ${x.ticks.map(
      (tick) => html`
        <line class="axis" x1="${at(x.scale(tick))}" x2="${at(x.scale(tick))}" y1="${AREA.bottom}" y2="${AREA.bottom + 4}"/>
        <text class="tick" x="${at(x.scale(tick))}" y="${AREA.bottom + 16}" text-anchor="middle">${x.describe(tick)}</text>`,
    )}
    <line class="axis" x1="${AREA.left}" x2="${AREA.right}" y1="${AREA.bottom}" y2="${AREA.bottom}"/>
    ${marks}
    <text class="name" x="${AREA.right}" y="${HEIGHT - 6}" text-anchor="end">${x.name}</text>
    <text class="name" x="2" y="11">${y.name}</text>`;
  return drawing({ id, title, description, width: WIDTH, height: HEIGHT, content });
}

export interface Drawing {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly content: Content;
}

/** An SVG that says what it is. */
export function drawing({ id, title, description, width, height, content }: Drawing): Markup {
  return html`
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">
      <title id="${id}-title">${title}</title>
      <desc id="${id}-text">${description}</desc>
      ${content}
    </svg>`;
}

/** Cuts off what lies outside of the axes. */
export function clipped(content: Content): Markup {
  const { left, top, right, bottom } = AREA;
  const [width, height] = [right - left, bottom - top];
  return html`<svg x="${left}" y="${top}" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}">${content}</svg>`;
}

/** A coordinate, to a tenth of a pixel. */
export function at(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
