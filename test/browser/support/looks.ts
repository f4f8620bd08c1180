import type { Page, ViewportSize } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './accessible.ts';

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** Half a window of a desk, and a tablet either way: what has most columns has least room here, beside the navigation. */
const BETWEEN = [768, 900, 1024].map((width) => ({ width, height: 800 }));
/** WCAG 2.2, 1.4.10: nothing has to be scrolled in two dimensions. */
const NARROW = { width: 320, height: 640 };

/** What is needed to see all of it. The header stays in place, and what of it is cut off makes no page wider. */
const WIDTH = `Math.max(
  document.documentElement.scrollWidth,
  ...Array.from(document.querySelectorAll('header *'), (part) => Math.ceil(part.getBoundingClientRect().right)),
)`;

/**
 * In light and in dark nothing is wider than the window, and nothing keeps people out: by the same page, made narrow and wide
 * in turn, for its layout is the style sheet's. Where the way to what is shown differs by width, `viewports` is the one in use.
 */
export async function expectReadable(page: Page, viewports?: readonly ViewportSize[]): Promise<void> {
  if (viewports === undefined) for (const between of BETWEEN) await expectToFit(page, between);
  for (const viewport of viewports ?? [PHONE, DESK]) {
    await expectToFit(page, viewport);
    await putOn(page, 'dark');
    await expectAccessible(page, 'colours');
    await putOn(page, 'light');
    await expectAccessible(page);
  }
}

/** Nothing is wider than the window. */
export async function expectToFit(page: Page, viewport: ViewportSize = NARROW): Promise<void> {
  await page.setViewportSize(viewport);
  // What is drawn to measure, as a chart is, follows a moment later.
  await expect.poll(() => page.evaluate(WIDTH)).toBeLessThanOrEqual(viewport.width);
}

/** Until nothing is between the one colour and the other any more. */
export async function putOn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const changing =
    'document.getAnimations().filter((animation) => animation instanceof CSSTransition).length';
  await expect.poll(() => page.evaluate(changing)).toBe(0);
}
