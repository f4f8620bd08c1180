import { expect, it } from 'vitest';
import {
  BACKGROUND,
  CHART,
  type Pair,
  SURFACE,
  TEXT,
  TINT_HOVER_SHARE,
  TINT_SHARE,
  TINTS,
} from '../../dashboard/src/palette.ts';

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = (index: 0 | 1) => [BACKGROUND[index], SURFACE[index]];
const lowest = (pair: Pair) =>
  Math.min(
    ...([0, 1] as const).flatMap((index) => grounds(index).map((ground) => contrast(pair[index], ground))),
  );

it.each(Object.entries(CHART))('%s has enough contrast in light and in dark (WCAG 1.4.11)', (_, pair) => {
  expect(lowest(pair)).toBeGreaterThanOrEqual(3);
});

/** The colours of a table row under the pointer: gray 1 and dark 5. */
const POINTED_AT = ['#f1f3f5', '#2b3037'] as const;

it.each(Object.entries(TEXT))('%s text has enough contrast in light and in dark (WCAG 1.4.3)', (_, pair) => {
  expect(lowest(pair)).toBeGreaterThanOrEqual(4.5);
  for (const index of [0, 1] as const) {
    expect(contrast(pair[index], POINTED_AT[index])).toBeGreaterThanOrEqual(4.5);
  }
});

/** The result of `color-mix(in srgb, base share, transparent)` on an opaque background. */
function mix(base: string, share: number, ground: string): string {
  const channel = (at: number) => {
    const [from, to] = [ground, base].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round((from ?? 0) * (1 - share) + (to ?? 0) * share);
  };
  return `#${[1, 3, 5].map((at) => channel(at).toString(16).padStart(2, '0')).join('')}`;
}

it.each(Object.entries(TINTS))(
  'text on a tint of %s has enough contrast in light and in dark, under the pointer too',
  (_, { base, text }) => {
    for (const index of [0, 1] as const) {
      for (const ground of grounds(index)) {
        for (const share of [TINT_SHARE[index], TINT_HOVER_SHARE[index]]) {
          expect(contrast(text[index], mix(base, share, ground))).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  },
);

it('the contrast is computed correctly for black on white and for a grey that just passes', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});
