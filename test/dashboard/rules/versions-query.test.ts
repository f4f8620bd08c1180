import { expect, it, onTestFinished, vi } from 'vitest';
import type { Version } from '../../../dashboard/src/pages/rules/queries.ts';

it('the history of rules is loaded page by page, up to the first version', async () => {
  vi.stubGlobal('location', new URL('https://localhost'));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { versionsQuery } = await import('../../../dashboard/src/pages/rules/queries.ts');
  const history = Array.from({ length: 95 }, (_, n) => ({ version: 95 - n }) as Version);
  const pages = [];
  for (let before: number | null | undefined = null; before !== undefined; ) {
    const at: number = before ?? Number.POSITIVE_INFINITY;
    const page = { total: 95, versions: history.filter(({ version }) => version < at).slice(0, 30) };
    pages.push(page);
    before = versionsQuery.getNextPageParam(page, pages, null, []);
  }
  expect(pages.flatMap(({ versions }) => versions)).toEqual(history);
});
