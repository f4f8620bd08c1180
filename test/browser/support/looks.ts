import type { Page, ViewportSize } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './accessible.ts';

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** Half a desktop window, and a tablet in both orientations: beside the navigation, wide tables have the least room here. */
const BETWEEN = [768, 900, 1024].map((width) => ({ width, height: 800 }));
/** WCAG 2.2, 1.4.10: no page may need scrolling in two dimensions. */
const NARROW = { width: 320, height: 640 };

/** The width that shows everything. The header is measured part by part: it is fixed, so its overflow does not widen the page. */
const WIDTH = `Math.max(
  document.documentElement.scrollWidth,
  ...Array.from(document.querySelectorAll('header *'), (part) => Math.ceil(part.getBoundingClientRect().right)),
)`;

/**
 * Expects a page that fits the window and has no accessibility violation, in light and in dark. One page is resized, as its layout
 * depends on the style sheet alone. Where a scenario reaches the page differently by width, `viewports` names the width in use.
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

/** Expects that nothing is wider than the window. */
export async function expectToFit(page: Page, viewport: ViewportSize = NARROW): Promise<void> {
  await page.setViewportSize(viewport);
  // Parts that are drawn to measure, such as charts, follow a moment later.
  await expect.poll(() => page.evaluate(WIDTH)).toBeLessThanOrEqual(viewport.width);
}

/** Switches to light or dark, and waits until all colour transitions have ended. */
export async function putOn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const changing =
    'document.getAnimations().filter((animation) => animation instanceof CSSTransition).length';
  await expect.poll(() => page.evaluate(changing)).toBe(0);
}
