import { describe, expect, it } from 'vitest';
import { STYLE } from '../../../../src/rule-lab/backtest/html/style.ts';

/** Colours by name, in one of the two schemes. */
function coloursOf(block: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]+)/g)].map(([, name, value]) => [name, value]),
  );
}

const [light = '', dark = ''] = STYLE.split('@media screen and (prefers-color-scheme: dark)');
const SCHEMES = { light: coloursOf(light), dark: coloursOf(dark) };

/** Relative luminance, WCAG 2.2. */
function luminance(colour = ''): number {
  const hex =
    colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit).join('') : colour.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((place) => {
    const part = Number.parseInt(hex.slice(place, place + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(Object.entries(SCHEMES))('the %s colours', (_, colours) => {
  it('give every text a contrast of 4.5 on every ground that it stands on', () => {
    for (const text of ['ink', 'soft']) {
      for (const ground of ['ground', 'paper', 'mark', 'mistake', 'note', 'teach']) {
        expect(contrast(colours[text], colours[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    for (const text of ['candidate', 'base']) {
      expect(contrast(colours[text], colours.paper), text).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('give every mark of a plot a contrast of 3', () => {
    for (const mark of ['good', 'bad', 'unlabelled', 'candidate', 'base', 'strong-line']) {
      expect(contrast(colours[mark], colours.paper), mark).toBeGreaterThanOrEqual(3);
    }
  });

  it('are stated for each name that is used', () => {
    const used = new Set([...STYLE.matchAll(/var\(--([a-z-]+)\)/g)].map(([, name]) => name));
    expect([...used].filter((name) => name !== undefined && colours[name] === undefined)).toEqual([]);
  });
});

it('measures contrast as WCAG does', () => {
  expect(contrast('#fff', '#000000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#fff')).toBeCloseTo(4.48, 2);
});
