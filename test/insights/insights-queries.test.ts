import { describe, expect, it, vi } from 'vitest';
import {
  type CheckSearch,
  type FoundChecks,
  type ListedCheck,
  searchAmong,
} from '../../src/insights/insights-queries.ts';

/** 1,200, newest first; every third matches the other filters. */
const KNOWN = Array.from({ length: 1_200 }, (_, n) => ({
  id: `chk_${n}`,
  createdAt: new Date(Date.parse('2026-11-20T10:00:00Z') - n * 1_000).toISOString(),
}));
const FITTING = KNOWN.filter((_, n) => n % 3 === 0).map(({ id }) => id);

const fits = new Set(FITTING);

const search = vi.fn(async ({ ids = [] }: CheckSearch): Promise<FoundChecks> => {
  const asked = new Set(ids);
  const found = KNOWN.filter(({ id }) => asked.has(id) && fits.has(id));
  const checks = found.map(({ id, createdAt }) => ({ id, created_at: createdAt }) as ListedCheck);
  return { checks, next: null, searched_back_to: null };
});

async function pagesOf(limit: number, way: 'after' | 'before') {
  const pages: (readonly string[])[] = [];
  const start = way === 'before' ? { before: `${KNOWN.at(-1)?.createdAt}.chk_1199` } : {};
  for (let place: Partial<CheckSearch> = start; ; ) {
    const { checks, next } = await searchAmong(KNOWN, { limit, ...place }, search);
    pages.push(checks.map(({ id }) => id));
    if (next === null) return pages;
    place = { [way]: next };
  }
}

describe('a search among known checks', () => {
  it.each([1, 7, 200, 400, 401, 500])(
    'finds each match once, in pages of %i, in either direction',
    async (limit) => {
      const older = await pagesOf(limit, 'after');
      expect(older.flat()).toEqual(FITTING);
      expect(older.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect((await pagesOf(limit, 'before')).flat()).toEqual(FITTING.toReversed());
    },
  );

  it('reads no more than it needs, five hundred at a time', async () => {
    search.mockClear();
    await searchAmong(KNOWN, { limit: 50, domain: 'x.org' }, search);
    expect(search).toHaveBeenCalledTimes(1);
    expect(search.mock.calls[0]?.[0]).toMatchObject({ domain: 'x.org', limit: 500 });
    expect(await searchAmong([], { limit: 50 }, search)).toEqual({
      checks: [],
      next: null,
      searched_back_to: null,
    });
  });
});
