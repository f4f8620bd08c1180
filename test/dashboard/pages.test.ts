import { expect, it } from 'vitest';
import { PAGES, SECTIONS } from '../../dashboard/src/pages.ts';
import { CLIENT_ROUTES } from '../../src/http/dashboard/built-client.ts';

it('every page has an address that the server serves', () => {
  const served: readonly string[] = CLIENT_ROUTES;
  expect(PAGES.map(({ path }) => path).filter((path) => !served.includes(path))).toEqual([]);
});

it('no two pages share an address or a title', () => {
  expect(new Set(PAGES.map(({ path }) => path)).size).toBe(PAGES.length);
  expect(new Set(PAGES.map(({ title }) => title)).size).toBe(PAGES.length);
});

it('every page has a section of the navigation that exists, or none', () => {
  for (const { section, path } of PAGES) {
    expect(section === null || SECTIONS.includes(section), path).toBe(true);
  }
});
