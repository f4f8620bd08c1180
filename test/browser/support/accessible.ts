import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** WCAG 2.2 at level AA, and what it is built on. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Those that judge colours, which are half of the work: of a page that is the same in light and in dark only they say another thing. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Finds nothing that keeps people out, on the page as it stands; or in its colours alone. */
export async function expectAccessible(page: Page, judged: 'all' | 'colours' = 'all'): Promise<void> {
  // By the debugger's way in: the page's own policy admits no script from elsewhere.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(AXE);
  const options = {
    runOnly: judged === 'all' ? TAGS : { type: 'rule', values: OF_COLOURS },
    resultTypes: ['violations'],
    // Style sheets and media are for one rule of these tags alone, on sound that plays by itself; no page has any.
    preload: false,
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const found = violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id}: ${help}: ${target} ${failureSummary}`),
  );
  const { width = 0 } = page.viewportSize() ?? {};
  const isDark = await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches');
  expect(found, `${page.url()}, ${width} px wide, in ${isDark ? 'dark' : 'light'}`).toEqual([]);
}
