import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** WCAG 2.2 at level AA, with the versions and levels that it includes. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Rules about colours, half of the work: only their results can differ between light and dark. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Expects no accessibility violation on the page as it stands, by all rules or by those about colours alone. */
export async function expectAccessible(page: Page, judged: 'all' | 'colours' = 'all'): Promise<void> {
  // Through the debugger: the page's content security policy refuses foreign scripts.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(AXE);
  const options = {
    runOnly: judged === 'all' ? TAGS : { type: 'rule', values: OF_COLOURS },
    resultTypes: ['violations'],
    // Preloaded style sheets and media serve one rule of these tags alone, about sound that plays by itself; no page has any.
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
