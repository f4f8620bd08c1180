import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { putOn } from './looks.ts';

/** WCAG 2.2, 1.4.3. */
const LEAST = 4.5;

/** All controls whose middle is in the window and not covered, with that point. */
const TARGETS = `[...document.querySelectorAll('a[href], button:not(:disabled), summary, [role=tab]')].flatMap((element, index) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const isHit = width > 0 && element.contains(document.elementFromPoint(x, y));
  if (isHit) element.dataset.pressed = index;
  return isHit ? [{ index, x, y }] : [];
})`;

/** Contrast of each text within a control, by computed colours. All layers below the text are blended as the browser does. */
const CONTRAST = `(index) => {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const painted = (layers) => {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 1, 1);
    for (const layer of layers) { context.fillStyle = layer; context.fillRect(0, 0, 1, 1); }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => rgb.map((octet) => octet / 255)
    .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const element = document.querySelector('[data-pressed="' + index + '"]');
  const hasText = (node) => [...node.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  return [element, ...element.querySelectorAll('*')].filter(hasText).map((node) => {
    const layers = [];
    for (let at = node; at !== null; at = at.parentElement) layers.unshift(getComputedStyle(at).backgroundColor);
    const [text, ground] = [[...layers, getComputedStyle(node).color], layers].map(painted).map(luminance);
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    return { text: node.textContent.trim().slice(0, 40), ratio: Math.round(ratio * 100) / 100 };
  });
}`;

/** Expects all controls to be readable under the pointer, in light and in dark. Returns the number of texts examined. */
export async function expectReadableUnderPointer(page: Page): Promise<number> {
  let looked = 0;
  for (const scheme of ['light', 'dark'] as const) {
    await putOn(page, scheme);
    const targets = await page.evaluate<{ index: number; x: number; y: number }[]>(TARGETS);
    const faint = [];
    for (const { index, x, y } of targets) {
      await page.mouse.move(x, y);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const texts = await page.evaluate<{ text: string; ratio: number }[]>(`(${CONTRAST})(${index})`);
      looked += texts.length;
      faint.push(...texts.filter(({ ratio }) => ratio < LEAST));
    }
    expect(faint, `${page.url()}, under the pointer, in ${scheme}`).toEqual([]);
  }
  return looked;
}
